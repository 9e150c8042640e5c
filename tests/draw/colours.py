"""Contrast as WCAG 2 defines it, lightness as CIE does, and colours as a colour-blind person sees them."""

import numpy as np

# Machado, Oliveira, Fernandes (2009), severity 1.0, on linear RGB; the last row of weights is CIE's luminance.
EYES = {
    "common": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str, eye: str = "common") -> float:
    """0 for black to 1 for white."""
    return float(np.clip(EYES[eye] @ linear(colour), 0, 1) @ EYES["grey"][0])


def contrast(a: str, b: str, eye: str = "common") -> float:
    """1 for no contrast to 21 for black on white."""
    low, high = sorted((luminance(a, eye), luminance(b, eye)))
    return (high + 0.05) / (low + 0.05)


def lightness(colour: str, eye: str = "common") -> float:
    """CIE L*, 0 to 100."""
    y = luminance(colour, eye)
    return float(116 * np.cbrt(y) - 16 if y > 216 / 24389 else y * 24389 / 27)

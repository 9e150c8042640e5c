#!/bin/sh
# Asks everything that descriptor.jsonl.xz and descriptor_fields.jsonl.xz hold: sh descriptor.sh PROBE > rows.jsonl
P=$1
$P fields
$P encode_to
for at in 0; do
    for home in grid_constant constant global_fenced global_unfenced by_value local shared; do $P descriptor_at $home device $at; done
    for memory in managed pinned registered pageable null; do $P descriptor_at grid_constant $memory $at; done
done
for at in 8 16 32 48 64 96; do
    for home in global_fenced global_unfenced; do $P descriptor_at $home device $at; done
done
$P encode_without_context
$P device_edit
for swizzle in 0 3; do
    for value in 0 16 64 512 1024 1040 2048 262143; do $P poke 9 64 8 $swizzle 1 512:18:$value; done
done
for swizzle in 0 3; do
    for value in 0 16 256 512 1024 2047; do $P poke 9 64 8 $swizzle 1 576:11:$value; done
done
$P poke 9 16 8 1 1 576:11:16
$P poke 9 16 8 1 1 576:11:1024
$P poke 9 32 8 2 1 576:11:16
$P poke 9 64 16 0 1 512:18:1024
$P poke 9 64 16 3 1 512:18:1024
$P poke 9 64 4 0 1 512:18:1024
$P poke 9 64 8 0 3 512:18:1024
$P poke 9 64 8 0 3 512:18:384
$P poke 7 64 8 0 1 512:18:1024
$P poke 7 64 8 0 1 512:18:0
$P poke 11 64 8 0 1 512:18:0
for bit in 65 66 67 83 85 95 511 530 700 1023 0 3 57 63; do $P poke 9 64 8 0 1 $bit:1:1; done
$P poke 9 64 8 0 1 320:32:5
$P poke 9 64 8 0 1 456:8:7 128:32:1
for fill in ones zeros other; do
    for promotion in 0 1 2 3; do $P upper_half load 9 64 8 3 1 $promotion $fill; done
    $P upper_half load 9 64 8 0 1 0 $fill
    $P upper_half load 9 64 8 0 3 0 $fill
    $P upper_half load 9 32 8 2 1 2 $fill
    $P upper_half load 9 16 8 1 1 0 $fill
    $P upper_half load 7 32 16 3 1 3 $fill
    $P upper_half load 11 64 8 0 1 0 $fill
    for copy in store reduce; do
        $P upper_half $copy 9 64 8 3 1 0 $fill
        $P upper_half $copy 9 64 8 0 1 3 $fill
        $P upper_half $copy 7 32 8 3 1 0 $fill
        $P upper_half $copy 7 64 8 0 2 0 $fill
    done
done

"""Rows of encode calls, and of public trouble reports, against the model."""

from course_lib.recordings.replay.comparison import Answer, Compared, broken_rules, read_call
from course_lib.rows.calls import tensor_map_of_report
from course_lib.rows.row import RecordingError, Row


def compare_encode(row: Row) -> Compared:
    """The driver's answer to an encode call and, where it accepts, the bytes."""
    tensor_map = read_call(row)
    recorded: Answer = {"result": row["result"]} | ({"bytes": read_bytes(row)} if row["result"] == 0 else {})
    verdict = tensor_map.check()
    if verdict.accepted:
        return Compared(recorded, {"result": 0, "bytes": tensor_map.encode()})
    return Compared(recorded, {"result": 1}, broken_rules(verdict))


def read_bytes(row: Row) -> bytes:
    """The recorded 128 bytes."""
    try:
        return bytes.fromhex(row["bytes"])
    except (KeyError, TypeError, ValueError) as error:
        raise RecordingError(f"an accepted call needs its bytes in hex ({error})") from error


def compare_report(row: Row) -> Compared:
    """A public trouble report: what the driver answered to its call, where that was tried."""
    if "driver_result" not in row:
        return Compared({}, {}, "no driver was asked")
    verdict = read_call(row, tensor_map_of_report).check()
    return Compared({"result": row["driver_result"]}, {"result": 0 if verdict.accepted else 1})

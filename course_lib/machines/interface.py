"""The machine that lessons and exercises take as an argument. Three kinds, one interface, one shape of answers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from course_lib.machines.answers import Encoded, Moved, Who
from course_lib.machines.questions import Question, bulk_question, encode_question, load_question, store_question
from course_lib.model.call.arguments import Memory
from course_lib.model.call.tensor_map import Call
from course_lib.rows.row import Row


class Machine(ABC):
    """Asks one question at a time. ``model``, ``recorded`` and ``live`` differ in who answers, never in the shape.

    Where no memory is given, a copy reads the memory of every recording: a formula of ``seed`` (splitmix64), 4 MiB of
    global memory for a load, 256 KiB of global and 64 KiB of shared memory (seed + 100,000) for a store. A tensor map's
    address is an offset into it. What is written into starts as 0xCD for a load, as the seed's bytes for a store.
    """

    @abstractmethod
    def ask(self, question: Question) -> tuple[Row, Who]:
        """The outcome of a question in the words of a recorded row, and who answered."""

    def encode(self, tensor_map: Call) -> Encoded:
        """Ask the encode call. The answer has ``result`` (CUresult) and, where that is 0, the 128 ``bytes``."""
        outcome, who = self.ask(encode_question(tensor_map))
        return Encoded(outcome["result"], outcome.get("bytes"), who, outcome.get("why", ""))

    def load(
        self,
        tensor_map: Call,
        coordinates: Sequence[int],
        *,
        seed: int = 0,
        global_memory: Memory | None = None,
        shared_address: int = 0,
        im2col_offsets: Sequence[int] = (),
        expected_bytes: int | None = None,
    ) -> Moved:
        """A bulk tensor load; ``memory`` of the answer is shared memory afterwards, in whole KiB, 0xCD where untouched.

        ``expected_bytes``: what the barrier is told, where not the whole box; a wrong count ends in a bounded wait.
        Raises IllegalTensorMap for a refused map, ValueError for arguments that are none; a fault is an answer.
        """
        arguments = (seed, global_memory, shared_address, im2col_offsets, expected_bytes)
        return self._moved("load", load_question(tensor_map, coordinates, *arguments))

    def store(
        self,
        tensor_map: Call,
        coordinates: Sequence[int],
        *,
        seed: int = 0,
        shared_memory: Memory | None = None,
        global_memory: Memory | None = None,
        shared_address: int = 0,
    ) -> Moved:
        """A bulk tensor store; ``memory`` of the answer is global memory afterwards. Raises as ``load``."""
        arguments = (seed, shared_memory, global_memory, shared_address)
        return self._moved("store", store_question(None, tensor_map, coordinates, *arguments))

    def reduce(
        self,
        op: int,
        tensor_map: Call,
        coordinates: Sequence[int],
        *,
        seed: int = 0,
        shared_memory: Memory | None = None,
        global_memory: Memory | None = None,
        shared_address: int = 0,
    ) -> Moved:
        """A bulk tensor reduction by ``op``, a ReduceOp; otherwise as ``store``."""
        arguments = (seed, shared_memory, global_memory, shared_address)
        return self._moved("reduce", store_question(op, tensor_map, coordinates, *arguments))

    def bulk(
        self,
        direction: str,
        source: int,
        destination: int,
        size_bytes: int,
        *,
        op: int | None = None,
        kind: str = "",
        seed: int = 0,
        expected_bytes: int | None = None,
    ) -> Moved:
        """A linear bulk copy, or reduction by ``op`` on PTX's type ``kind`` ("u32", "f16" …): no tensor map.

        ``direction``: global_to_shared, shared_to_global, shared_to_cluster (from block 0 to block 1 of a cluster).
        ``source`` and ``destination`` are offsets in bytes into the two memories. Source: PTX ISA 9.4, cp.async.bulk.
        """
        question = bulk_question(direction, source, destination, size_bytes, op, kind, seed, expected_bytes)
        return self._moved("bulk", question)

    def _moved(self, what: str, question: Question) -> Moved:
        outcome, who = self.ask(question)
        told = question.row.get("transaction_bytes")
        went_through = not outcome.get("result") and outcome.get("fault") is None
        return Moved(
            what=what,
            result=outcome.get("result", 0),
            fault=outcome.get("fault"),
            completed=outcome.get("completed") if told is not None and went_through else None,
            told_bytes=told,
            awaited_bytes=outcome.get("awaited_bytes") if went_through else None,
            memory=outcome.get("memory") if went_through else None,
            by=who,
            why=outcome.get("why", ""),
        )

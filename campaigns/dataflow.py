"""The cycles that instructions take at least on this CPU: because each waits for the results that
it needs, and because of the ports that do them.
"""

import collections
import pathlib
import re

import latencies
import stepping
from iced_x86 import (
    Decoder,
    FlowControl,
    InstructionInfoFactory,
    MemorySizeExt,
    Mnemonic,
    OpKind,
    Register,
    RegisterExt,
)
from latencies import READ, WRITE

# Of a family: instructions that are under way at most, and that begin in a cycle.
WINDOWS = {25: (320, 6), 26: (448, 8), 6: (512, 6)}
WORD = 8  # bytes of memory of which it is known who wrote them last
GIVEN = {Register.CS, Register.DS, Register.ES, Register.SS, Register.RIP, Register.EIP}
# Where general registers are among those of a step.
PLACES = {
    getattr(Register, name.upper()): place
    for place, name in enumerate(stepping.REGISTERS)
    if hasattr(Register, name.upper())
}
IDLE = {Mnemonic.NOP, Mnemonic.ENDBR64, Mnemonic.VZEROUPPER, Mnemonic.PREFETCHT0}
COPIES = ("mov", "vmov", "push", "pop", "kmov", "vpbroadcast")  # how their names begin


def this_machine(machine):
    """This machine, if its CPU is that of the record's, by family and model."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    family, model = (
        int(re.search(rf"^{name}\s*: (\d+)$", text, flags=re.M)[1])
        for name in ("cpu family", "model")
    )
    same = (family, model) == (machine["family"], machine["model"])
    return Machine(*WINDOWS[family]) if same and family in WINDOWS else None


class Machine:
    """This CPU's figures, of the instructions that were met."""

    def __init__(self, window, width):
        self.window, self.width = window, width
        self.factory, self.known = InstructionInfoFactory(), {}
        self.latencies, self.loads = {}, []

    def figures(self, steps, calls):
        """Cycles of the steps by chains, where so many calls follow each other, and by a mix."""
        self.meet(steps)
        pairs = [(self.known[step.address, step.code], step.registers) for step in steps]
        first = self.cycles(pairs)
        chain = (self.cycles(pairs * calls) - first) / (calls - 1) if calls > 1 else first
        return chain, latencies.mixed(collections.Counter(kind.form for kind, _ in pairs))

    def meet(self, steps):
        """Decodes what is new among the steps, and measures the forms that are."""
        new = []
        for step in steps:
            if (step.address, step.code) not in self.known:
                instruction = Decoder(64, step.code, ip=step.address).decode()
                new.append(Kind(instruction, self.factory))
                self.known[step.address, step.code] = new[-1]
        forms = {kind.form for kind in new} - set(self.latencies)
        if forms:
            figures, self.loads = latencies.measured(forms)
            self.latencies |= {form: figures.get(form, {}) for form in forms}
        for kind in new:
            kind.settle(self.latencies[kind.form], self.loads)

    def cycles(self, steps):
        """Cycles of the steps if there were any number of ports."""
        registers, flags, words = {}, {}, {}
        retired, begun, last, longest = [0.0] * self.window, 0, 0.0, 0.0
        for kind, values in steps:
            ready = start = max(begun / self.width, retired[begun % self.window])
            if kind.loads:
                at = [registers.get(register, 0.0) for register in kind.addresses]
                ready = max([start, *at]) + kind.load + kind.from_memory
            for register, cycles in kind.cycles.items():
                ready = max(ready, registers.get(register, 0.0) + cycles)
            for flag, at in flags.items():
                if flag & kind.flags_read:
                    ready = max(ready, at + kind.other)
            places = [(spanned(used, values), reads, writes) for used, reads, writes in kind.memory]
            for place, reads, _ in places:
                for word in place if reads else ():
                    ready = max(ready, words.get(word, 0.0) + kind.from_memory)
            registers.update(dict.fromkeys(kind.writes, ready))
            flags.update(dict.fromkeys(kind.flags_written, ready))
            for place, _, writes in places:
                if writes:
                    words.update(dict.fromkeys(place, ready))
            longest = max(longest, ready)
            if not kind.idle:
                last = max(last, ready)
                retired[begun % self.window] = last
                begun += 1
        return longest


class Kind:
    """One instruction: what it reads and writes, and the cycles from each to its result."""

    def __init__(self, instruction, factory):
        info = factory.info(instruction)
        self.form = latencies.Form(instruction, info)
        self.instruction = instruction
        used = [used for used in info.used_registers() if used.register not in GIVEN]
        full = RegisterExt.full_register
        self.reads = {full(register.register) for register in used if register.access in READ}
        self.writes = {full(register.register) for register in used if register.access in WRITE}
        self.flags_read = instruction.rflags_read
        written = instruction.rflags_modified
        self.flags_written = [1 << bit for bit in range(12) if written >> bit & 1]
        # LEA reads no memory.
        used = [] if instruction.mnemonic == Mnemonic.LEA else info.used_memory()
        self.memory = [(memory, memory.access in READ, memory.access in WRITE) for memory in used]
        self.loads = any(reads for _, reads, _ in self.memory)
        self.idle = instruction.mnemonic in IDLE or instruction.flow_control != FlowControl.NEXT

    def settle(self, figures, loads):
        """Takes the form's latencies, and those of reads."""
        instruction, sources, self.addresses = self.instruction, {}, set()
        base, index = (
            RegisterExt.full_register(register) if register != Register.NONE else None
            for register in (instruction.memory_base, instruction.memory_index)
        )
        for number, (_, _, memory) in enumerate(self.form.operands):
            operand = latencies.operand_of(instruction, number)
            found = {}
            if memory and instruction.mnemonic == Mnemonic.LEA:
                found = {base: figures.get((number, "BASE"), 1)}
                found[index] = max(figures.get((number, "INDEX"), 1), found.get(index, 0))
            elif memory:
                self.addresses = {base, index} - {None}
            elif operand >= 0 and instruction.op_kind(operand) == OpKind.REGISTER:
                register = RegisterExt.full_register(instruction.op_register(operand))
                found = {register: figures.get(number, 0)}
            for register, cycles in found.items():
                sources[register] = max(cycles, sources.get(register, 0))
        # From a source whose chain cannot be timed, a result takes a cycle at least, a copy none.
        copies = self.form.mnemonic.startswith(COPIES) or 0 in figures.values()
        self.other = 0 if copies else 1
        self.from_memory = min(figures.values(), default=0) if self.loads else 0
        self.cycles = {
            register: max(sources.get(register, 0), self.other)
            for register in self.reads - self.addresses
        }
        self.load = loads[index is not None]


def spanned(used, values):
    """The words of the memory that is used; none where vectors say the address."""
    place = used.displacement
    for register, scale in ((used.base, 1), (used.index, used.scale)):
        if register != Register.NONE and register not in GIVEN:
            number = PLACES.get(RegisterExt.full_register(register))
            if number is None:
                return range(0)
            place += values[number] * scale
    place &= (1 << 64) - 1
    size = MemorySizeExt.size(used.memory_size)
    return range(place // WORD, (place + size - 1) // WORD + 1)

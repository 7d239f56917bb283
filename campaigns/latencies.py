"""How long this CPU takes for instructions. Each form of an instruction runs in a chain, where it
waits for itself, and in a mix, where nothing waits. Additions, which take one cycle, are the clock.
"""

import collections
import pathlib
import random
import re
import subprocess
import tempfile

from iced_x86 import (
    FlowControl,
    Formatter,
    FormatterSyntax,
    MemorySizeExt,
    OpAccess,
    OpKind,
)

STEPS = 64  # instructions of a chain, at least, that lie one after the other
MIXED, ORDERS = 1000, 8  # instructions of a mix, and in how many orders it is timed
# A read of the first cache, and one whose address has an index.
LOADS = ["mov (%rbx),%rbx", "mov 64(%rdi,%rsi,8),%rsi"]
# Registers that no instruction uses without naming them: general ones, vectors, masks. A chain goes
# through the first, or through the first and the second in turn; nothing writes the others.
CHAINED = (["bx", "si", "di", "8", "9", "10", "11"], range(1, 8), range(2, 8))
# Of a mix: sources that nothing writes, and targets one after the other.
FIXED = (["si"], [1], [1])
OTHERS = (["bx", "8", "9", "10", "11", "12", "13", "14"], range(2, 16), range(2, 8))
# What is printed with a register that it cannot do without, and that register.
BY_XMM0, XMM0 = {"sha256rnds2", "pblendvb", "blendvps", "blendvpd"}, "xmm0"
# What has general registers in the place of memory, and what moves the stack.
INSERTED, STACKED = ("pinsr", "vpinsr"), {"push", "pop", "leave"}
MEMORY = "MEMORY"  # memory whose address is not written again, such as that of a gather
READ = {OpAccess.READ, OpAccess.READ_WRITE, OpAccess.COND_READ, OpAccess.READ_COND_WRITE}
WRITE = {OpAccess.WRITE, OpAccess.READ_WRITE, OpAccess.COND_WRITE, OpAccess.READ_COND_WRITE}

formatter = Formatter(FormatterSyntax.GAS)
formatter.gas_show_mnemonic_size_suffix = False
formatter.rip_relative_addresses = True

DRIVER = r"""
#include <stdio.h>
#include <x86intrin.h>
extern void (*const chains[])(void *, long);
extern const long lengths[];
extern void additions(void *, long);
enum { INSTRUCTIONS = 16384 };
static _Alignas(64) char room[8192];
static double once(void (*chain)(void *, long), long times) {
    *(void **)room = room;
    _mm_lfence();
    unsigned long from = __rdtsc();
    _mm_lfence();
    chain(room, times);
    _mm_lfence();
    return __rdtsc() - from;
}
int main(void) {
    double addition = 1e9;
    for (int run = 0; run < 4000; run++) {
        double cycles = once(additions, INSTRUCTIONS / 64);
        if (cycles < addition) addition = cycles;
    }
    for (int i = 0; chains[i]; i++) {
        long times = INSTRUCTIONS / lengths[i];
        double least = 1e99;
        for (int run = 0, quiet = 0; run < 3000 && quiet < 200; run++) {
            double before = once(additions, INSTRUCTIONS / 64);
            double cycles = once(chains[i], times);
            double after = once(additions, INSTRUCTIONS / 64);
            /* A neighbour that slows one of the three down is not believed. */
            if (before > 1.01 * addition || after > 1.01 * addition) continue;
            quiet++;
            if (cycles < least) least = cycles;
        }
        printf("%.4f\n", least / addition * (INSTRUCTIONS / 64 * 64) / (times * lengths[i]));
    }
}
"""


class Form:
    """An instruction but for which registers it has, and from what its result comes."""

    def __init__(self, instruction, info):
        self.mnemonic = formatter.format_mnemonic(instruction)
        self.bytes = MemorySizeExt.size(instruction.memory_size)
        # Of each operand: its text, how it is used, and whether it is memory.
        self.operands = []
        jumps = instruction.flow_control != FlowControl.NEXT
        for index in range(0 if jumps else formatter.operand_count(instruction)):
            operand = operand_of(instruction, index)
            access = info.op_access(operand) if operand >= 0 else OpAccess.READ
            memory = operand >= 0 and instruction.op_kind(operand) == OpKind.MEMORY
            text = formatter.format_operand(instruction, index)
            if index == 0 and self.mnemonic in BY_XMM0:
                text = f"%{XMM0}"
            else:
                text = place(text) if memory else classes(text)
            self.operands.append((text, access, memory))
        self.text = f"{self.mnemonic} " + ",".join(text for text, _, _ in self.operands)

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def chained(self):
        """The lines of a chain through each source that can be one, by the operand's index."""
        if self.mnemonic.startswith(INSERTED) or not self.operands or MEMORY in self.text:
            return {}
        target, access, memory = self.operands[-1]
        if memory or access not in WRITE or not (kind := kind_of(target)):
            return {}
        # A target that is read as well changes in turn with the source.
        turns = [False, True] if access in READ else [False]
        lines = {}
        for index, (text, access, memory) in enumerate(self.operands):
            last = index == len(self.operands) - 1
            if memory and self.mnemonic == "lea":
                for part in ("BASE", "INDEX"):
                    if part in text:
                        lines[index, part] = [self.line(index, False, part)]
            elif not memory and access in READ and kind_of(text) == kind:
                lines[index] = [self.line(index, turn) for turn in ([False] if last else turns)]
        return lines

    def line(self, source, turn, part=None):
        """The instruction with registers, so that the next of its kind waits for that source."""
        here, there = (1, 0) if turn else (0, 1)
        last = len(self.operands) - 1
        in_turn = self.operands[-1][1] in READ and source != last
        words, fresh = [], 2
        for index, (text, _, memory) in enumerate(self.operands):
            if index == last:
                number = here
            elif index == source and not part:
                number = there if in_turn else 0
            else:
                number, fresh = fresh, fresh + 1
            if memory and self.mnemonic == "lea":
                text = text.replace("BASE", named("r64", 0 if part == "BASE" else 3))
                text = text.replace("INDEX", named("r64", 0 if part == "INDEX" else 4))
            elif memory:
                text = named(self.loaded(), number)
            words.append(filled(text, number))
        return f"{self.mnemonic} " + ",".join(words)

    def free(self, number):
        """The instruction with registers, so that no other waits for it; None if it cannot be."""
        if self.mnemonic in STACKED or not self.operands or MEMORY in self.text:
            return None
        words = []
        for index, (text, _, memory) in enumerate(self.operands):
            last = index == len(self.operands) - 1
            if memory and self.mnemonic == "lea":
                text = text.replace("BASE", "%rsi").replace("INDEX", "%rsi")
            elif memory:
                broadcast = "".join(re.findall(r"\{1to\d+\}", text))
                text = ("256(%rdi)" if last else "64(%rdi)") + broadcast
            words.append(filled(text, number, OTHERS if last else FIXED))
        return f"{self.mnemonic} " + ",".join(words)

    def loaded(self):
        """The class of registers in the place of what is read from memory."""
        texts = [text for text, _, _ in self.operands]
        first = next(found[1] for text in texts if (found := re.match(r"<(\w+)>", text)))
        if not first.endswith("mm") or any("{1to" in text for text in texts):
            return first
        return {64: "zmm", 32: "ymm"}.get(self.bytes, "xmm")


def operand_of(instruction, index):
    """The number of an operand as it is printed; -1 of one that is printed alone."""
    operand = formatter.get_instruction_operand(instruction, index)
    return -1 if operand is None else operand


def place(text):
    """Memory with BASE and INDEX in the place of registers, and 1 in that of a distance."""
    found = re.fullmatch(r"(?:%[fg]s:)?([^(]*)\(([^,)]*),?([^,)]*),?([^)]*)\)(\{1to\d+\})?", text)
    if not found or "mm" in text:
        return MEMORY
    distance, base, index, scale, broadcast = found.groups()
    inner = ("BASE" if base else "") + (f",INDEX,{scale or 1}" if index else "")
    return f"{'1' if distance else ''}({inner}){broadcast or ''}"


def classes(text):
    """An operand with the class of each register in the place of its name, as <zmm>."""
    text = re.sub(r"%([xyz])mm\d+", r"<\1mm>", text)
    text = re.sub(r"%k\d", "<k>", text)
    return re.sub(r"%(\w+)", lambda found: f"<{width_of(found[1])}>", text)


def width_of(name):
    if name == "cl":
        return name
    if re.fullmatch(r"r\d+d|e\w\w", name):
        return "r32"
    if re.fullmatch(r"r\d+w|[a-d]x|[sd]i|[sb]p", name):
        return "r16"
    if re.fullmatch(r"r\d+b|[a-d][hl]|\w\wl", name):
        return "r8"
    return "r64"


def kind_of(text):
    """Between which registers a chain goes; None of what has none, and of a distance in CL."""
    found = re.match(r"<(\w+)>", text)
    if not found or found[1] == "cl":
        return None
    return {"r": "general", "k": "mask"}.get(found[1][0], "vector")


def filled(text, number, among=CHAINED):
    def first(found):
        return named(found[1], number, among)

    return re.sub(r"<(\w+)>", first, text, count=1).replace("{<k>}", "{%k1}")


def named(width, number, among=CHAINED):
    if width == "cl":
        return "%cl"
    general, vectors, masks = among
    if width.endswith("mm"):
        return f"%{width}{vectors[number % len(vectors)]}"
    if width == "k":
        return f"%k{masks[number % len(masks)]}"
    name = general[number % len(general)]
    if name.isdigit():
        return f"%r{name}" + {"r64": "", "r32": "d", "r16": "w", "r8": "b"}[width]
    if width == "r8":
        return f"%{name}l" if name[1] == "i" else f"%{name[0]}l"
    return "%" + {"r64": "r", "r32": "e", "r16": ""}[width] + name


def measured(forms):
    """The latency of each form by the index of its source, in whole cycles, and those of reads."""
    chains = [(form, source, lines) for form in forms for source, lines in form.chained().items()]
    figures = timed([[load] for load in LOADS] + [lines for _, _, lines in chains])
    # A latency is never above the measured one by more than the clock's error.
    figures = [int(figure + 0.25) for figure in figures]
    found = collections.defaultdict(dict)
    for (form, source, _), figure in zip(chains, figures[len(LOADS) :], strict=True):
        found[form][source] = figure
    return found, figures[: len(LOADS)]


def mixed(counts):
    """Cycles of so many instructions of each form, none of which waits for another.

    The least of some orders: which port an instruction gets depends on its neighbours.
    """
    share = min(1, MIXED / sum(counts.values()))
    forms = [form for form, count in counts.items() for _ in range(round(count * share))]
    mixes = []
    for seed in range(ORDERS):
        random.Random(seed).shuffle(forms)
        lines = [form.free(number) for number, form in enumerate(forms)]
        mixes.append([line for line in lines if line])
    return min(timed(mixes)) * sum(count for form, count in counts.items() if form.free(0))


def timed(chains):
    """Cycles of an instruction of each chain."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "driver.c").write_text(DRIVER)
        (folder / "chains.s").write_text(assembly(chains))
        program = folder / "chains"
        command = ["cc", "-O2", "-no-pie", "-o", program, folder / "driver.c", folder / "chains.s"]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode:
            error = "\n".join(built.stderr.splitlines()[:3])
            raise SystemExit(f"error: {error}\nhint: an instruction that is not known here")
        run = subprocess.run([program], capture_output=True, text=True, check=True)
        return [float(line) for line in run.stdout.split()]


def assembly(chains):
    chains = [repeated(lines) for lines in chains]
    functions = [function(f"chain{number}", lines) for number, lines in enumerate(chains)]
    addresses = [f".quad chain{number}" for number in range(len(chains))]
    return "\n".join(
        [".text", function("additions", repeated(["add %rsi,%rbx"])), *functions]
        + [".section .rodata", ".globl chains", "chains:", *addresses, ".quad 0"]
        + [".globl lengths", "lengths:", *(f".quad {len(lines)}" for lines in chains)]
        + ['.section .note.GNU-stack,"",@progbits', ""]
    )


def repeated(lines):
    return lines * max(1, STEPS // len(lines))


def function(name, lines):
    """A loop of the lines. In RBX and RDI is the address of the room, and 0 in other registers."""
    saved = ["rbx", "r12", "r13", "r14", "r15"]
    zeros = ["esi", "ecx", "r8d", "r9d", "r10d", "r11d"]
    return "\n".join(
        [f".globl {name}", f"{name}:", *(f"push %{register}" for register in saved)]
        + [
            "mov %rdi,%rbx",
            "mov %rsi,%r15",
            *(f"xor %{register},%{register}" for register in zeros),
        ]
        + [".balign 64", "1:", *lines, "dec %r15", "jnz 1b"]
        + [*(f"pop %{register}" for register in reversed(saved)), "ret"]
    )

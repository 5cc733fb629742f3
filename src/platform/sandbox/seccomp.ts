// The filter of system calls for programs in a box: a list of what they may call. A call that the list does not know
// answers as an older kernel would, so that libraries fall back to what it knows; a forbidden one is not permitted.
import { allowedCalls, forbiddenCalls } from './system-calls.ts'

interface Argument {
  readonly at: 0 | 1
  readonly value: number
}

interface Processor {
  readonly column: 0 | 1
  /** As the kernel names it in AUDIT_ARCH. */
  readonly audit: number
}

const processors: Readonly<Record<string, Processor>> = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
}

/** Calls of the x32 convention have other numbers. */
const x32Bit = 0x40000000
/** CLONE_NEWTIME to CLONE_NEWNET: namespaces of every kind. clone3 is unknown, because its flags cannot be seen. */
const namespaceFlags = 0x7e020080
/**
 * Local, IPv4, IPv6 and netlink. Others leave the network namespace (vsock), or reach rarely used parts of the kernel.
 */
const addressFamilies = [1, 2, 10, 16]
/** Puts characters into the input of a terminal. */
const terminalInput = [0x5412, 0x541c]
/** Linux and its name for 32-bit programs, each also with 2.6 as its release, and the question for the current one. */
const personalities = [0, 0x20000, 8, 0x20008, 0xffffffff]
/** The agent of the box, which belongs to the same user as the commands. */
const firstProcess = 1
const processesOfUser = { priority: 2, inputOutput: 3 }
/** How a process changes another one of its user: not the agent, by the values of these arguments. */
const changesToAgent: Readonly<Record<string, readonly Argument[]>> = {
  prlimit64: [{ at: 0, value: firstProcess }],
  sched_setattr: [{ at: 0, value: firstProcess }],
  sched_setparam: [{ at: 0, value: firstProcess }],
  sched_setscheduler: [{ at: 0, value: firstProcess }],
  setpriority: [
    { at: 0, value: processesOfUser.priority },
    { at: 1, value: firstProcess },
  ],
  ioprio_set: [
    { at: 0, value: processesOfUser.inputOutput },
    { at: 1, value: firstProcess },
  ],
}

const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06
const offsets = { number: 0, processor: 4, arguments: [16, 24] } as const

const allow = 0x7fff0000
const kill = 0x80000000
const errnoOf = (errno: number) => 0x00050000 | errno
const notPermitted = errnoOf(1)
const notImplemented = errnoOf(38)
const familyNotSupported = errnoOf(97)

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/** The filter for a processor as Node names it. Undefined for one without a list. */
export function createSystemCallFilter(architecture: string): Buffer | undefined {
  const processor = processors[architecture]
  if (processor === undefined) return undefined
  const program: Instruction[] = [
    [loadWord, 0, 0, offsets.processor],
    [jumpIfEqual, 1, 0, processor.audit],
    [answer, 0, 0, kill],
    [loadWord, 0, 0, offsets.number],
    [jumpIfAtLeast, 0, 1, x32Bit],
    [answer, 0, 0, kill],
    ...byArguments(processor),
    ...search(ranges(processor)),
  ]
  return Buffer.concat(program.map(encode))
}

/** The calls whose arguments decide. Each part ends the filter for its call. */
function byArguments({ column }: Processor): Instruction[] {
  const when = (name: string, body: readonly Instruction[]): Instruction[] => {
    const number = allowedCalls[name]?.[column]
    return number === undefined ? [] : [[jumpIfEqual, 0, body.length, number], ...body]
  }
  const [first, second] = offsets.arguments
  return [
    ...when('clone', [
      [loadWord, 0, 0, first],
      [jumpIfAnyBit, 0, 1, namespaceFlags],
      [answer, 0, 0, notPermitted],
      [answer, 0, 0, allow],
    ]),
    ...when('socket', choose(first, addressFamilies, [allow, familyNotSupported])),
    ...when('ioctl', choose(second, terminalInput, [notPermitted, allow])),
    ...when('personality', choose(first, personalities, [allow, notPermitted])),
    ...Object.entries(changesToAgent).flatMap(([name, refused]) =>
      when(name, [...refused.flatMap(refuse), [answer, 0, 0, allow]]),
    ),
  ]
}

const refuse = ({ at, value }: Argument): Instruction[] => [
  [loadWord, 0, 0, offsets.arguments[at]],
  [jumpIfEqual, 0, 1, value],
  [answer, 0, 0, notPermitted],
]

function choose(
  place: number,
  values: readonly number[],
  [found, otherwise]: readonly [found: number, otherwise: number],
): Instruction[] {
  const compare = values.map((value, at): Instruction => {
    return [jumpIfEqual, values.length - at, 0, value]
  })
  return [[loadWord, 0, 0, place], ...compare, [answer, 0, 0, otherwise], [answer, 0, 0, found]]
}

interface Range {
  readonly from: number
  readonly outcome: number
}

/** All numbers, in ranges of the same outcome. */
function ranges({ column }: Processor): Range[] {
  const outcomes = new Map<number, number>()
  for (const [calls, outcome] of [
    [allowedCalls, allow],
    [forbiddenCalls, notPermitted],
  ] as const)
    for (const numbers of Object.values(calls)) outcomes.set(numbers[column] ?? -1, outcome)
  const afterLast = Math.max(...outcomes.keys()) + 1
  const found: Range[] = []
  for (let number = 0; number <= afterLast; number++) {
    const outcome = outcomes.get(number) ?? notImplemented
    if (found.at(-1)?.outcome !== outcome) found.push({ from: number, outcome })
  }
  return found
}

/** Halves the ranges until one is left: the kernel runs the filter at each call. */
function search(among: readonly Range[]): Instruction[] {
  const middle = among.length >> 1
  const [half, only] = [among[middle], among[0]]
  if (half === undefined || only === undefined || middle === 0)
    return [[answer, 0, 0, only?.outcome ?? notImplemented]]
  const below = search(among.slice(0, middle))
  return [[jumpIfAtLeast, below.length, 0, half.from], ...below, ...search(among.slice(middle))]
}

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}

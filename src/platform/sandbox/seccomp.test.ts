import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSystemCallFilter } from './seccomp.ts'
import { allowedCalls, forbiddenCalls } from './system-calls.ts'

const processors = [
  { name: 'x64', column: 0, audit: 0xc000003e },
  { name: 'arm64', column: 1, audit: 0xc00000b7 },
] as const
type Processor = (typeof processors)[number]

const programs = {
  x64: createSystemCallFilter('x64') ?? Buffer.alloc(0),
  arm64: createSystemCallFilter('arm64') ?? Buffer.alloc(0),
}
const allow = 0x7fff0000
const kill = 0x80000000
const errnoOf = (errno: number) => 0x00050000 | errno

interface Call {
  readonly number: number
  readonly audit?: number
  readonly arguments?: readonly bigint[]
}

/** Runs the filter as the kernel does, and answers with its outcome. */
function outcomeOf(processor: Processor, call: Call): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number >>> 0, 0)
  data.writeUInt32LE(call.audit ?? processor.audit, 4)
  for (const [at, value] of (call.arguments ?? []).entries())
    data.writeBigUInt64LE(value, 16 + 8 * at)
  const program = programs[processor.name]
  let word = 0
  for (let at = 0; at < program.length; at += 8) {
    const [ifTrue, ifFalse] = [program.readUInt8(at + 2), program.readUInt8(at + 3)]
    const value = program.readUInt32LE(at + 4)
    const jump = (holds: boolean) => {
      at += 8 * (holds ? ifTrue : ifFalse)
    }
    const code = program.readUInt16LE(at)
    if (code === 0x20) word = data.readUInt32LE(value)
    else if (code === 0x15) jump(word === value)
    else if (code === 0x35) jump(word >= value)
    else if (code === 0x45) jump((word & value) !== 0)
    else if (code === 0x06) return value
    else throw new Error(`The kernel does not accept the instruction ${code}.`)
  }
  throw new Error('The filter has no end.')
}

const numberOf = (processor: Processor, name: string) =>
  (allowedCalls[name] ?? forbiddenCalls[name])?.[processor.column]

test.each(processors)('each call has the outcome of its list on $name', (processor) => {
  const known = new Set([435])
  for (const [calls, outcome] of [
    [allowedCalls, allow],
    [forbiddenCalls, errnoOf(1)],
  ] as const)
    for (const [name, numbers] of Object.entries(calls)) {
      const number = numbers[processor.column]
      if (number === undefined) continue
      expect(known.has(number), `${name} is there twice`).toBe(false)
      known.add(number)
      // A local socket; for all others, an argument that nothing refuses.
      const first = name === 'socket' ? 1n : 0n
      expect(outcomeOf(processor, { number, arguments: [first] }), name).toBe(outcome)
    }
  const unknown = Array.from({ length: 1_000 }, (_, at) => at).filter((each) => !known.has(each))
  for (const number of [435, ...unknown, 0x3fffffff])
    expect(outcomeOf(processor, { number }), String(number)).toBe(errnoOf(38))
})

test.each(processors)('another kind of processor and x32 end a program on $name', (processor) => {
  for (const audit of [0x40000003, 0x40000028, ...processors.map((each) => each.audit)])
    if (audit !== processor.audit) expect(outcomeOf(processor, { number: 1, audit })).toBe(kill)
  for (const number of [0x40000000, 0x40000000 + 39, 0x7fffffff, -1])
    expect(outcomeOf(processor, { number })).toBe(kill)
})

test.each(processors)('arguments decide on $name', (processor) => {
  const threads = 0x3d0f00n
  const child = 17n
  const cases: readonly [string, readonly bigint[], number][] = [
    ['clone', [child], allow],
    ['clone', [threads], allow],
    // The kernel reads the lower half of the flags.
    ['clone', [child | 0x10000000n | (1n << 40n)], errnoOf(1)],
    ...[7n, 17n, 25n, 26n, 27n, 28n, 29n, 30n].map((bit): [string, bigint[], number] => [
      'clone',
      [child | (1n << bit)],
      errnoOf(1),
    ]),
    ...[1n, 2n, 10n, 16n].map((family): [string, bigint[], number] => ['socket', [family], allow]),
    ...[0n, 3n, 15n, 17n, 38n, 40n, 44n].map((family): [string, bigint[], number] => [
      'socket',
      [family],
      errnoOf(97),
    ]),
    ['ioctl', [0n, 0x5401n], allow],
    ['ioctl', [0n, 0x5412n], errnoOf(1)],
    ['ioctl', [0n, 0x541cn | (1n << 33n)], errnoOf(1)],
    ['personality', [0xffffffffn], allow],
    ['personality', [0n], allow],
    ['personality', [0x400000n], errnoOf(1)],
    ['prlimit64', [0n, 7n], allow],
    ['prlimit64', [42n, 1n], allow],
    ['prlimit64', [1n, 0n], errnoOf(1)],
    ['sched_setaffinity', [1n, 8n], errnoOf(1)],
    ['sched_setscheduler', [1n, 5n], errnoOf(1)],
    ['sched_setscheduler', [0n, 5n], allow],
    ['setpriority', [0n, 0n, 19n], allow],
    ['setpriority', [0n, 1n, 19n], errnoOf(1)],
    ['setpriority', [2n, 0n, 19n], errnoOf(1)],
    ['ioprio_set', [1n, 0n], allow],
    ['ioprio_set', [3n, 0n], errnoOf(1)],
    ['ioprio_set', [1n, 1n], errnoOf(1)],
  ]
  for (const [name, values, outcome] of cases) {
    const number = numberOf(processor, name)
    if (number === undefined) throw new Error(`${name} is missing.`)
    expect(outcomeOf(processor, { number, arguments: values }), `${name} ${values}`).toBe(outcome)
  }
})

test('another processor has no filter', () => {
  expect(createSystemCallFilter('riscv64')).toBeUndefined()
})

/** What the kernel's header for arm64 sets before it includes the general one. */
const arm64Wants = ['RENAMEAT', 'NEW_STAT', 'SET_GET_RLIMIT', 'SYS_CLONE3', 'MEMFD_SECRET']
const headers = {
  x64: ['#include "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"'],
  arm64: [
    '#define __BITS_PER_LONG 64',
    ...arm64Wants.map((name) => `#define __ARCH_WANT_${name}`),
    '#include "/usr/include/asm-generic/unistd.h"',
  ],
} as const

const isReadable = ({ name }: Processor) =>
  existsSync('/usr/bin/gcc') && existsSync(headers[name].at(-1)?.split('"')[1] ?? '')

test.skipIf(!processors.every(isReadable)).each(processors)(
  'the numbers are those of the kernel for $name',
  (processor) => {
    const input = headers[processor.name].join('\n')
    const text = execFileSync('/usr/bin/gcc', ['-E', '-dM', '-'], { input }).toString()
    const defined = new Map(
      [...text.matchAll(/^#define (__NR\w*) (\S+)$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    const read = (name: string): string | undefined => {
      const value = defined.get(name)
      return value?.startsWith('__NR') ? read(value) : value
    }
    let compared = 0
    for (const [name, numbers] of Object.entries({ ...allowedCalls, ...forbiddenCalls })) {
      const number = numbers[processor.column]
      const newest = 450
      // Newer calls than the header have the same number on all processors.
      if (numbers[0] === numbers[1] && (number ?? 0) > newest) continue
      if (name === 'uretprobe') continue
      expect(read(`__NR_${name}`), name).toBe(number === undefined ? undefined : String(number))
      compared += 1
    }
    expect(compared).toBeGreaterThan(200)
  },
)

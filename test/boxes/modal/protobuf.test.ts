// Our messages are those of protobufjs: what one writes, the other reads.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, encode, type Message } from '#catalog/ns_sandbox/lib/protobuf.ts'
import { protobuf as protobufjs } from '#oracles/protobuf.ts'

const inner = { label: [1, 'string'], count: [3, 'integer'] } as const
const outer = {
  text: [1, 'string'],
  bytes: [2, 'bytes'],
  number: [3, 'integer'],
  flag: [4, 'boolean'],
  ratio: [5, 'float'],
  one: [6, inner],
  words: [7, ['string']],
  many: [200, [inner]],
} as const

const { root } = protobufjs.parse(`syntax = "proto3";
message Inner { string label = 1; int64 count = 3; }
message Outer {
  string text = 1; bytes bytes = 2; int64 number = 3; bool flag = 4; float ratio = 5;
  Inner one = 6; repeated string words = 7; repeated Inner many = 200;
}
message Later { string text = 1; fixed32 four = 20; fixed64 eight = 21; Inner more = 22; uint64 most = 23; }`)
const reference = root.lookupType('Outer')
const later = root.lookupType('Later')

const text = fc.string({ unit: 'binary' })
const integer = fc.maxSafeInteger()
const innerMessage = fc.record({ label: text, count: integer }, { requiredKeys: [] })
const message = fc.record(
  {
    text,
    bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    number: integer,
    flag: fc.boolean(),
    ratio: fc.float({ noNaN: true }),
    one: innerMessage,
    words: fc.array(text, { minLength: 1 }),
    many: fc.array(innerMessage, { minLength: 1 }),
  },
  { requiredKeys: [] },
)

test('protobufjs reads what we write', () => {
  fc.assert(
    fc.property(message, (value) => {
      const read = reference.decode(encode(outer, value as Message<typeof outer>))
      expect(reference.toObject(read, { longs: Number })).toEqual(value)
    }),
  )
})

test('we read what protobufjs writes', () => {
  fc.assert(
    fc.property(message, (value) => {
      const written = reference.encode(reference.fromObject(value)).finish()
      // The format leaves zero values out.
      const expected = reference.toObject(reference.decode(written), { longs: Number })
      expect(decode(outer, written)).toEqual(expected)
    }),
  )
})

test('fields of a later version are skipped', () => {
  const more = {
    text: 'known',
    four: 4,
    eight: 8,
    more: { label: 'unknown' },
    most: '18446744073709551615',
  }
  const written = later.encode(later.fromObject(more)).finish()
  expect(decode({ text: [1, 'string'] }, written)).toEqual({ text: 'known' })
})

test('bytes that are not a message of the type throw', () => {
  for (const [name, bytes] of [
    ['a field that is cut off', [0x0a, 5, 97]],
    ['a number without an end', [0x18, ...Array.from({ length: 11 }, () => 0xff)]],
    ['a field without its value', [0x18]],
    ['another wire type', [0x0d, 1, 2, 3, 4]],
    ['a group', [0x0b]],
  ] as const)
    expect(() => decode(outer, Uint8Array.from(bytes)), name).toThrow(Error)
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        decode(outer, bytes)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Error)
      }
    }),
  )
})

// Messages of protocol buffers, for the few that Modal's sandboxes need. A message type is a table of its fields.
// Fields that the table does not name are skipped. Source: "Encoding" in the documentation of Protocol Buffers.

type Scalar = 'string' | 'bytes' | 'integer' | 'boolean' | 'float'
/** Repeated numbers are packed, which is not read here: the messages have none. */
type Repeatable = 'string' | 'bytes' | MessageType
type Kind = Scalar | MessageType | readonly [Repeatable]

/** The number and the kind of each field. A kind in brackets is repeated. */
export interface MessageType {
  readonly [field: string]: readonly [number: number, kind: Kind]
}

interface ScalarValues {
  readonly string: string
  readonly bytes: Uint8Array
  readonly integer: number
  readonly boolean: boolean
  readonly float: number
}

type ValueOf<Of> = Of extends Scalar
  ? ScalarValues[Of]
  : Of extends readonly [infer Each]
    ? readonly ValueOf<Each>[]
    : Of extends MessageType
      ? Message<Of>
      : never

/** A field that is not set is absent: in this format that is its zero value. */
export type Message<Type extends MessageType> = {
  readonly [Name in keyof Type]?: ValueOf<Type[Name][1]> | undefined
}

/** How a value is written: its wire type. */
const wire = { varint: 0, eightBytes: 1, length: 2, fourBytes: 5 } as const
const varintBytesMax = 10

export function encode<Type extends MessageType>(type: Type, message: Message<Type>): Buffer {
  const parts: Buffer[] = []
  for (const [name, [number, kind]] of Object.entries(type)) {
    const value: unknown = message[name]
    if (value === undefined) continue
    const each = isRepeated(kind) ? kind[0] : kind
    for (const item of isRepeated(kind) ? (value as unknown[]) : [value])
      parts.push(encodeField(number, each, item))
  }
  return Buffer.concat(parts)
}

const isRepeated = (kind: Kind): kind is readonly [Repeatable] => Array.isArray(kind)

function encodeField(number: number, kind: Scalar | MessageType, value: unknown): Buffer {
  const tagged = (wireType: number, ...content: Buffer[]) =>
    Buffer.concat([encodeVarint((number << 3) | wireType), ...content])
  if (kind === 'integer' || kind === 'boolean')
    return tagged(wire.varint, encodeVarint(Number(value)))
  if (kind === 'float') {
    const content = Buffer.alloc(4)
    content.writeFloatLE(value as number)
    return tagged(wire.fourBytes, content)
  }
  const content =
    typeof kind === 'object'
      ? encode(kind, value as Message<MessageType>)
      : Buffer.from(value as string | Uint8Array)
  return tagged(wire.length, encodeVarint(content.length), content)
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, BigInt(value))
  while (left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80)
    left >>= 7n
  }
  return Buffer.from([...bytes, Number(left)])
}

/** Throws for bytes that are not a message of this type. */
export function decode<Type extends MessageType>(type: Type, bytes: Uint8Array): Message<Type> {
  const fields = new Map(
    Object.entries(type).map(([name, [number, kind]]) => [number, { name, kind }]),
  )
  const message: Record<string, unknown> = {}
  for (const { number, wireType, value } of readFields(Buffer.from(bytes))) {
    const field = fields.get(number)
    if (field === undefined) continue
    const { name, kind } = field
    const item = decodeValue(isRepeated(kind) ? kind[0] : kind, wireType, value)
    message[name] = isRepeated(kind) ? [...((message[name] as unknown[]) ?? []), item] : item
  }
  return message as Message<Type>
}

interface RawField {
  readonly number: number
  readonly wireType: number
  readonly value: bigint | Buffer
}

function* readFields(bytes: Buffer): Generator<RawField> {
  let at = 0
  const varint = () => {
    let value = 0n
    for (let read = 0; read < varintBytesMax; read += 1) {
      const byte = bytes.readUInt8(at)
      at += 1
      value |= BigInt(byte & 0x7f) << BigInt(read * 7)
      if (byte < 0x80) return value
    }
    throw new Error('A number is too long.')
  }
  const take = (length: number) => {
    if (at + length > bytes.length) throw new Error('A field is cut off.')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const [number, wireType] = [tag >>> 3, tag & 7]
    if (wireType === wire.varint) yield { number, wireType, value: varint() }
    else if (wireType === wire.length) yield { number, wireType, value: take(Number(varint())) }
    else if (wireType === wire.fourBytes) yield { number, wireType, value: take(4) }
    else if (wireType === wire.eightBytes) yield { number, wireType, value: take(8) }
    else throw new Error(`There is no wire type ${wireType}.`)
  }
}

function decodeValue(
  kind: Scalar | MessageType,
  wireType: number,
  value: bigint | Buffer,
): unknown {
  if (kind === 'integer' && typeof value === 'bigint') return Number(BigInt.asIntN(64, value))
  if (kind === 'boolean' && typeof value === 'bigint') return value !== 0n
  if (kind === 'float' && wireType === wire.fourBytes) return (value as Buffer).readFloatLE()
  if (wireType === wire.length) {
    const content = value as Buffer
    if (kind === 'string') return content.toString('utf8')
    if (kind === 'bytes') return content
    if (typeof kind === 'object') return decode(kind, content)
  }
  throw new Error(`A field of the kind ${String(kind)} has the wire type ${wireType}.`)
}

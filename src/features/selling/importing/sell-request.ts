// What the operator asks to sell.
import { z } from 'zod'
import { emptySecretSentence, isTooShort, tooShortSentence } from '#core/input/secret-length.ts'
import { soldName, soldProgram } from '../sold-api.ts'

const descriptionCharactersMax = 30_000_000

export const sellRequest = z
  .strictObject({
    address: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe('Of a description in OpenAPI or Swagger, of an MCP server, or of one endpoint.'),
    program: soldProgram
      .optional()
      .describe('An MCP server that the gateway runs in a box, in place of an address.'),
    description: z
      .string()
      .max(descriptionCharactersMax)
      .optional()
      .describe('The text of a description that no address has.'),
    file: z
      .looseObject({})
      .optional()
      .describe('An exported import, in place of the other fields.'),
    kind: z
      .enum(['openapi', 'endpoint', 'mcp'])
      .optional()
      .describe('Absent: what the address answers decides.'),
    name: soldName.optional().describe('The namespace of the actions. Absent: from the address.'),
    price: z
      .number()
      .min(0)
      .max(100_000)
      .multipleOf(0.0001)
      .optional()
      .describe('Cents for each call, where no rule says otherwise.'),
    rules: z
      .array(z.unknown())
      .optional()
      .describe(
        'Price rules: the first that matches applies. Absent: those of the sale before, whose rule for all of it `price` replaces.',
      ),
    server: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Replaces the base address of the description.'),
    private: z
      .boolean()
      .optional()
      .describe('The API is in the operator’s own network: its address may be a private one.'),
    credential: z
      .union([
        z.strictObject({ kind: z.enum(['bearer', 'basic']) }),
        z.strictObject({
          kind: z.enum(['header', 'query', 'cookie']),
          name: z.string().min(1).max(200),
          prefix: z.string().max(50).optional(),
        }),
        z.strictObject({
          kind: z.literal('env').describe('A variable in the environment of a program.'),
          name: z.string().regex(/^[A-Za-z_]\w{0,99}$/),
        }),
      ])
      .optional()
      .describe('Where the operator’s key goes, if the description does not say so.'),
    key: z
      .string()
      .trim()
      .min(1, { error: emptySecretSentence, abort: true })
      .max(10_000)
      .regex(/^[\x20-\x7e]+$/, { error: 'must be printable ASCII characters', abort: true })
      .refine((key) => !isTooShort(key), tooShortSentence)
      .optional()
      .describe(
        'The operator’s key. A preview reads tools with it, and stores nothing. Selling tests and seals it.',
      ),
  })
  .refine(
    ({ address, description, program, file }) =>
      [address, description, program, file].some((each) => each !== undefined),
    'Send the address to sell, a description, a program, or an exported file.',
  )
  .refine(
    ({ program, credential, key }) =>
      program === undefined
        ? credential?.kind !== 'env'
        : credential === undefined
          ? key === undefined
          : credential.kind === 'env',
    'A program has its key in a variable: send `"credential": {"kind": "env", "name": "NAME"}`.',
  )

export type SellRequest = z.output<typeof sellRequest>

// What the gateway sends for each description is what the description asks for.
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { CallError } from '#core/errors.ts'
import type {
  DescribedApi,
  DescribedOperation,
  JsonSchema,
} from '#features/selling/described-operation.ts'
import { buildRequest } from '#features/selling/operations/request.ts'
import { depth } from '#test/depth.ts'
import { origins, readOrigin, textOf } from './descriptions.ts'
import { inputsOf } from './strict/arbitrary.ts'
import { createStrictServer, type StrictServer } from './strict/server.ts'

/** Of one description, at equal distances. A known fault may be in a single operation, so those take all of them. */
const operationsMax = 40
const operationsTried = depth(12, operationsMax)
const samples = 8
const seed = 4

/** Files are sent in base64. */
const noFiles = {
  open: () => Promise.reject(new Error('There are no files.')),
  find: () => Promise.reject(new Error('There are no files.')),
}

interface Tally {
  sent: number
  refused: number
  /** Operations for whose schema no input was found. */
  untried: string[]
}

async function tryOperation(
  server: StrictServer,
  {
    api,
    operation,
    fits,
    tally,
  }: { api: DescribedApi; operation: DescribedOperation; fits: ValidateFunction; tally: Tally },
): Promise<string[]> {
  const { key, example } = operation
  const made = fc.sample(inputsOf(forHeaders(operation), api.definitions), {
    numRuns: samples,
    seed,
  })
  const valid = [example, ...made].filter((value) => fits(value)) as Record<string, unknown>[]
  if (valid.length === 0) tally.untried.push(key)
  const faults: string[] = []
  for (const value of valid) {
    try {
      const { method, path, headers = {}, bytes } = await buildRequest(operation, value, noFiles)
      const request = { method, path, headers, body: bytes }
      const fault = await server.check(request, key.slice(key.indexOf(' ') + 1))
      tally.sent++
      if (fault) faults.push(`${key}: ${fault}\n  ${JSON.stringify(value).slice(0, 300)}`)
    } catch (thrown) {
      // What cannot be written is refused, and costs nothing.
      if (!(thrown instanceof CallError)) throw thrown
      tally.refused++
    }
  }
  return faults.slice(0, 2)
}

/** Most texts that come to mind cannot be in a header. */
function forHeaders({ input, fields }: DescribedOperation): JsonSchema {
  const properties = { ...(input.properties as Record<string, JsonSchema>) }
  for (const { name, in: place } of fields) {
    const schema = properties[name]
    if (place !== 'header' || schema?.type !== 'string' || schema.pattern || schema.enum) continue
    properties[name] = { ...schema, pattern: '^[!-+\\--~]{1,20}$' }
  }
  return { ...input, properties }
}

const parsed = (file: string, text: string): unknown =>
  file.includes('.json')
    ? JSON.parse(text)
    : parse(text, { maxAliasCount: -1, uniqueKeys: false, strict: false, logLevel: 'error' })

const every = <Item>(items: readonly Item[], most: number) => {
  const step = Math.max(1, Math.ceil(items.length / most))
  return items.filter((_, index) => index % step === 0)
}

/** What the writer does not send as these descriptions want it. A test fails once it does. */
const knownFaults: Readonly<Record<string, string>> = {
  'apicurio-local-registry.json.gz': 'a text is the whole body of one of two media types',
  'box-com.json.gz': 'one body has fields that a form leaves out',
  'maif-local-otoroshi.json.gz': 'a body that is named JSON is a text',
}
const isFaulty = ({ file }: { readonly file: string }) => file in knownFaults

async function roundTrip(origin: (typeof origins)[number]) {
  const api = await readOrigin(origin)
  const server = createStrictServer(parsed(origin.file, textOf(origin)))
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
  })
  const tally: Tally = { sent: 0, refused: 0, untried: [] }
  const all = every(api.operations, operationsMax)
  const chosen = isFaulty(origin) ? all : every(all, operationsTried)
  // One schema, so that a definition is compiled once for all operations that use it.
  const inputs = chosen.map(({ input }) => input)
  ajv.addSchema({ $defs: api.definitions, inputs }, 'api')
  const faults: string[] = []
  for (const [index, operation] of chosen.entries()) {
    const fits = ajv.compile({ $ref: `api#/inputs/${index}` })
    faults.push(...(await tryOperation(server, { api, operation, fits, tally })))
  }
  expect(faults).toEqual([])
  expect(tally.untried.length).toBeLessThanOrEqual(chosen.length / 5)
  expect(tally.sent).toBeGreaterThan(0)
}

test.for(origins.filter((origin) => !isFaulty(origin)))(
  '$file: a strict server receives only valid requests',
  roundTrip,
)
test.fails.for(origins.filter(isFaulty))('$file: a strict server refuses some requests', roundTrip)

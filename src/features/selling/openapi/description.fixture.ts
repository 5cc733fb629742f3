// Small descriptions of tests.
import type { DescribedApi, DescribedOperation } from '../described-operation.ts'
import { readDescription } from './read-description.ts'

const address = 'https://api.example.com/v1/openapi.json'
const files = { openapi: '3.0.3', info: { title: 'Pets', version: '1' } }

export interface FixtureTerms {
  readonly address?: string
  readonly load?: (address: string) => Promise<string>
}

export const readText = (text: string, terms: FixtureTerms = {}): Promise<DescribedApi> =>
  readDescription({ text, address, ...terms })

/** `parts` of a description of OpenAPI 3.0, unless they name another version. */
export function readParts(parts: object, terms?: FixtureTerms): Promise<DescribedApi> {
  const { openapi, info } = files
  const version = 'swagger' in parts ? {} : { openapi }
  return readText(JSON.stringify({ ...version, info, ...parts }, undefined, 2), terms)
}

/** The operation `POST /pets` with these parts. */
export async function readOne(
  operation: object,
  parts: object = {},
  terms?: FixtureTerms,
): Promise<DescribedOperation> {
  const responses = { 200: { description: 'Done.' } }
  const paths = { '/pets': { post: { responses, ...operation } } }
  const api = await readParts({ paths, ...parts }, terms)
  const [only] = api.operations
  if (only === undefined) throw new Error(JSON.stringify(api.leftOut))
  return only
}

export const propertiesOf = ({ input }: DescribedOperation) =>
  input.properties as Readonly<Record<string, Readonly<Record<string, unknown>>>>

// Reads the operator's file of additions to the catalog. An error is one sentence with the line of the mistake.
import { readFileSync } from 'node:fs'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { z } from '#core/action.ts'
import { type OperatorFile, operatorFile } from './operator-file-schema.ts'

export type { OperatorFile } from './operator-file-schema.ts'

const setting = 'CATALOG_FILE'

/** Throws an Error with one sentence about the first mistake. */
export function readOperatorFile(filename: string): OperatorFile {
  let text: string
  try {
    text = readFileSync(filename, 'utf8')
  } catch (cause) {
    throw new Error(`${setting}: the file ${filename} cannot be read.`, { cause })
  }
  return parseOperatorFile(text, filename)
}

export function parseOperatorFile(text: string, filename: string): OperatorFile {
  const problem = (offset: number, what: string) =>
    new Error(`${setting}: line ${lineOf(text, offset)} of ${filename}: ${what}.`)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [broken] = errors
  if (broken !== undefined || tree === undefined) {
    const what = broken === undefined ? 'is empty' : spell(printParseErrorCode(broken.error))
    throw problem(broken?.offset ?? 0, `the JSON is not valid (${what})`)
  }
  const parsed = operatorFile.safeParse(getNodeValue(tree))
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
    .map((issue) => locate(tree, issue))
    .toSorted((one, other) => one.offset - other.offset)
  throw problem(first?.offset ?? 0, `${first?.field} ${first?.message}`)
}

function locate(tree: Node, issue: z.core.$ZodIssue) {
  const strange = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...issue.path.map((step) => step as string | number), ...strange]
  const field = path.join('.') || 'the file'
  // A missing field has no position, so the position of its parent is reported.
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, depth))
    if (node !== undefined) return { field, message: sayWhat(issue), offset: placeOf(node) }
  }
  return { field, message: sayWhat(issue), offset: 0 }
}

/** The position of a property is that of its name, because the value may begin on another line. */
const placeOf = (node: Node) =>
  node.parent?.type === 'property' ? node.parent.offset : node.offset

function sayWhat(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'is not known here'
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const { message } = issue
  return message.startsWith('Invalid ') || message.startsWith('Too ')
    ? `is not right (${message.charAt(0).toLowerCase()}${message.slice(1)})`
    : message
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** `CommaExpected` as words. */
const spell = (code: string) => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

// One file of a description: its value, and the lines of its parts.
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { membersOf } from '#core/input/members.ts'
import { fileDepthMax, yamlBytesMax } from './limits.ts'
import { DescriptionProblem } from './problem.ts'

type Path = readonly string[]

export interface SourceDocument {
  /** A URL, or empty where the text came without one. */
  readonly address: string
  readonly value: unknown
  /** Of the part, or of the nearest one around it. */
  lineOf(path: Path): number | undefined
}

/** Throws a DescriptionProblem with the line of the first mistake. */
export function readDocument(text: string, address: string): SourceDocument {
  const bare = text.replace(/^\uFEFF/, '')
  return /^\s*[{[]/.test(bare) ? readJsonOrYaml(bare, address) : readYaml(bare, address)
}

/** Flow mappings of YAML begin like JSON. */
function readJsonOrYaml(text: string, address: string): SourceDocument {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return readYaml(text, address)
  }
  refuseDeep(text, address)
  let tree: ReturnType<typeof parseTree>
  return {
    address,
    value,
    lineOf(path) {
      tree ??= parseTree(text)
      if (tree === undefined) return undefined
      for (let length = path.length; length >= 0; length--) {
        const node = findNodeAtLocation(tree, stepsOf(value, path.slice(0, length)))
        if (node)
          return lineAt(text, node.parent?.type === 'property' ? node.parent.offset : node.offset)
      }
      return undefined
    },
  }
}

/** What looks for lines, and what reads the value, goes as deep as the text does. */
function refuseDeep(text: string, address: string): void {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isText && character === '\\') index++
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > fileDepthMax)
      throw new DescriptionProblem(
        `The file is not a description: it has more than ${fileDepthMax} objects and lists within each other.`,
        { address, line: lineAt(text, index) },
      )
  }
}

/** Lists are entered by numbers. */
function stepsOf(value: unknown, path: Path): (string | number)[] {
  let part = value
  return path.map((key) => {
    const step = Array.isArray(part) ? Number(key) : key
    part = membersOf(part)[key]
    return step
  })
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (
    let index = text.indexOf('\n');
    index >= 0 && index < offset;
    index = text.indexOf('\n', index + 1)
  )
    line++
  return line
}

function readYaml(text: string, address: string): SourceDocument {
  if (Buffer.byteLength(text) > yamlBytesMax)
    throw new DescriptionProblem(
      `The file has more than ${yamlBytesMax} bytes of YAML. Send it as JSON, which is read faster.`,
      { address },
    )
  const lineCounter = new LineCounter()
  const options = {
    lineCounter,
    strict: false,
    uniqueKeys: false,
    merge: true,
    logLevel: 'error',
  } as const
  const document = parseDocument(text, options)
  const [error] = document.errors
  if (error)
    throw new DescriptionProblem(`The file is not JSON or YAML: ${firstLine(error.message)}`, {
      address,
      line: error.linePos?.[0].line,
    })
  return {
    address,
    value: plainValue(document, address),
    lineOf: (path) => yamlLine(document, lineCounter, path),
  }
}

function plainValue(document: Document, address: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 10_000 })
  } catch (thrown) {
    throw new DescriptionProblem(
      `The aliases of the file cannot be read: ${firstLine(String(thrown))}`,
      { address },
    )
  }
}

function yamlLine(document: Document, lineCounter: LineCounter, path: Path): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const part = path.slice(0, length)
    const node = length === 0 ? document.contents : document.getIn(part, true)
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
  }
  return undefined
}

const firstLine = (text: string) =>
  text.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? text

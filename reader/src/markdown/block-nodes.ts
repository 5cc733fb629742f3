// Which nodes of the content begin and end blocks of Markdown.
import type { ContentElement, ContentNode } from '../content/nodes.ts'
import { isElement, textOf } from '../content/nodes.ts'
import { isBlock } from '../page/nesting.ts'

const inlineBlocks: ReadonlySet<string> = new Set(['br', 'select', 'option', 'textarea'])

/** Whether the element begins and ends blocks, or holds one that does. */
export function isBlockNode(node: ContentNode): node is ContentElement {
  if (typeof node === 'string') return false
  const { name, attributes, children } = node
  if ((isBlock(name) && !inlineBlocks.has(name)) || name.includes('-')) return true
  if (name === 'math') return attributes.has('display')
  if (!children.some(isElement)) return false
  let holds = blocksInside.get(node)
  if (holds === undefined) {
    holds = children.some(isBlockNode)
    blocksInside.set(node, holds)
  }
  return holds
}

/** For elements of a line that hold others: their insides are asked for at each level around them. */
const blocksInside = new WeakMap<ContentElement, boolean>()

/** The nodes without the blocks around them, for places that hold a single line. */
export function flatten(nodes: readonly ContentNode[]): ContentNode[] {
  return nodes.flatMap((node) => {
    if (!isBlockNode(node) || node.name === 'math') return [node]
    if (node.name === 'pre')
      return [' ', { name: 'code', attributes: node.attributes, children: [textOf(node)] }, ' ']
    return [' ', ...flatten(node.children), ' ']
  })
}

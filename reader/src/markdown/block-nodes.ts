// Which nodes of the content begin and end blocks of Markdown.
import type { ContentElement, ContentNode } from '../content/content-tree.ts'
import { textOf } from '../content/nodes.ts'
import { isBlock } from '../page/nesting.ts'

const inlineBlocks: ReadonlySet<string> = new Set(['br', 'select', 'option', 'textarea'])

/** Whether the element begins and ends blocks, or holds one that does. */
export function isBlockNode(node: ContentNode): node is ContentElement {
  if (typeof node === 'string') return false
  const known = blockness.get(node)
  if (known !== undefined) return known
  const { name, attributes, children } = node
  const isOwn = (isBlock(name) && !inlineBlocks.has(name)) || name.includes('-')
  const found = isOwn || (name === 'math' ? attributes.has('display') : children.some(isBlockNode))
  blockness.set(node, found)
  return found
}

const blockness = new WeakMap<ContentElement, boolean>()

/** The nodes without the blocks around them, for places that hold a single line. */
export function flatten(nodes: readonly ContentNode[]): ContentNode[] {
  return nodes.flatMap((node) => {
    if (!isBlockNode(node) || node.name === 'math') return [node]
    if (node.name === 'pre')
      return [' ', { name: 'code', attributes: node.attributes, children: [textOf(node)] }, ' ']
    return [' ', ...flatten(node.children), ' ']
  })
}

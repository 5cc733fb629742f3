import { isVoid } from '../page/nesting.ts'
import { writeAttributes } from './attributes.ts'
import { writeFormula } from './formula.ts'
import type { ContentNode } from './nodes.ts'

/** Balanced, script-free HTML with absolute links. */
export function writeHtml(nodes: readonly ContentNode[], baseUrl: string): string {
  const output: string[] = []
  const write = (children: readonly ContentNode[]): void => {
    for (const node of children) {
      if (typeof node === 'string') {
        output.push(escapeText(node))
        continue
      }
      if (node.name === 'math') {
        output.push(escapeText(writeFormula(node)))
        continue
      }
      output.push(`<${node.name}${writeAttributes(node.name, node.attributes, baseUrl)}>`)
      write(node.children)
      if (!isVoid(node.name)) output.push(`</${node.name}>`)
    }
  }
  write(nodes)
  return output.join('')
}

function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

// MathML as TeX, for pages that do not bring the TeX along.
import { endTag, type MarkupTree, startTag, textRun } from '../markup-tree.ts'

interface Open {
  readonly name: string
  readonly parts: string[]
}

/** The TeX of the elements from one event to another. */
export function texOfMathMl(
  { names, events, texts }: MarkupTree,
  from: number,
  to: number,
): string {
  const open: Open[] = [{ name: 'math', parts: [] }]
  for (let index = from; index <= to; index += 1) {
    const event = events[index] as number
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      const text = (texts[place] as string).replace(/\s+/g, ' ').trim()
      if (text !== '') open.at(-1)?.parts.push(escapeTex(text))
    } else if (kind === startTag) open.push({ name: names[place] as string, parts: [] })
    else if (kind === endTag && open.length > 1) {
      const ended = open.pop() as Open
      const tex = texOf(ended)
      if (tex !== '') open.at(-1)?.parts.push(tex)
    }
  }
  while (open.length > 1) open.at(-2)?.parts.push(texOf(open.pop() as Open))
  return texOf(open[0] as Open)
}

function texOf({ name, parts }: Open): string {
  const [first = '', second = '', third = ''] = parts
  switch (name) {
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return ''
    case 'mi':
    case 'mo':
    case 'mn':
      return parts.join(' ')
    case 'mtext':
    case 'ms':
      return `\\text{${parts.join(' ')}}`
    case 'mfrac':
      return `\\frac{${first}}{${second}}`
    case 'msqrt':
      return `\\sqrt{${parts.join(' ')}}`
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`
    case 'msup':
    case 'mover':
      return `${group(first)}^{${second}}`
    case 'msub':
    case 'munder':
      return `${group(first)}_{${second}}`
    case 'msubsup':
    case 'munderover':
      return `${group(first)}_{${second}}^{${third}}`
    case 'mtd':
      return parts.join(' ') || ' '
    case 'mtr':
      return parts.join(' & ')
    case 'mtable':
      return `\\begin{matrix}${parts.join(' \\\\ ')}\\end{matrix}`
    default:
      return parts.join(' ')
  }
}

function group(tex: string): string {
  return tex.length > 1 && /\s|[_^]/.test(tex) ? `{${tex}}` : tex
}

function escapeTex(text: string): string {
  return text
    .replace(/[{}%#&_$]/g, (mark) => `\\${mark}`)
    .replace(/\\(?![{}%#&_$])/g, '\\backslash ')
}

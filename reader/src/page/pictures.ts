// Where a picture really is: pages load pictures late, and keep their addresses beside a placeholder, in the sources of
// a `picture`, or in a `noscript`.
import { type MarkupTree, startTag, textRun } from './markup-tree.ts'
import type { Attributes } from './scan.ts'

const lateAddresses = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy'] as const
const lateSets = ['data-srcset', 'data-lazy-srcset', 'data-original-set'] as const
const lateClass = /(?:^|[\s_-])(?:lazy|lazyload|lazyloaded|b-lazy|lozad)(?:$|[\s_-])/i
const srcsetCharactersMax = 10_000

/** The attributes of all elements, where `src` of a picture is the address that a browser shows in the end. */
export function settlePictures({ names, parents, attributes }: MarkupTree): Attributes[] {
  const settled = [...attributes]
  const sources = new Map<number, Attributes[]>()
  names.forEach((name, node) => {
    const parent = parents[node] as number
    const own = attributes[node] as Attributes
    if (name === 'source' && names[parent] === 'picture') {
      const some = sources.get(parent) ?? []
      some.push(own)
      sources.set(parent, some)
    } else if (name === 'img') {
      const address = addressOf(own, sources.get(parent) ?? [])
      if (address !== own.get('src')) settled[node] = withAddress(own, address)
    }
  })
  return settled
}

function withAddress(own: Attributes, address: string | undefined): Attributes {
  const changed = new Map(own)
  if (address === undefined) changed.delete('src')
  else changed.set('src', address)
  return changed
}

function addressOf(own: Attributes, sources: readonly Attributes[]): string | undefined {
  const late = lateAddressOf(own) ?? sources.map(lateAddressOf).find((each) => each !== undefined)
  if (late !== undefined) return late
  const written = own.get('src')
  if (isAddress(written)) return written
  const sets = [own, ...sources].map((each) => fittingOf(each.get('srcset')))
  return sets.find((each) => each !== undefined)
}

function lateAddressOf(own: Attributes): string | undefined {
  const candidates = [
    ...lateAddresses.map((name) => own.get(name)),
    ...lateSets.map((name) => fittingOf(own.get(name))),
  ]
  return candidates.find(isAddress)
}

/** Whether it is an address and neither a picture in itself nor a template. */
function isAddress(written: string | undefined): written is string {
  return written !== undefined && /\S/.test(written) && !/[{}]|^\s*data:/i.test(written)
}

/** The address that a screen of this width with a pixel for each pixel takes from a `srcset`. */
const windowWidthPx = 1280

function fittingOf(srcset: string | undefined): string | undefined {
  const written = srcset?.slice(0, srcsetCharactersMax) ?? ''
  const candidates = [...written.matchAll(/([^\s,]\S*)(?:\s+([\d.]+)([wx]))?\s*(?:,|$)/g)]
    .map(([, address = '', size = '1', unit]) => ({
      address: address.replace(/,+$/, ''),
      density: Number(size) / (unit === 'w' ? windowWidthPx : 1),
    }))
    .filter(({ address }) => isAddress(address))
    .toSorted((one, other) => one.density - other.density)
  return (candidates.find(({ density }) => density >= 1) ?? candidates.at(-1))?.address
}

/** The events of a `noscript` without text, and which elements are hidden. */
interface Fallback
  extends Pick<MarkupTree, 'names' | 'parents' | 'texts' | 'attributes' | 'events'> {
  readonly hidden: Uint8Array
}

/**
 * Readers without scripts are shown the picture of a `noscript` in place of the placeholder before it. Returns how many
 * of the events `seen` before the `noscript` stay, or undefined where its pictures are not shown: they only count
 * visits, or the picture before is the same one.
 */
export function fallbackFrom(
  page: Fallback,
  noscript: number,
  seen: readonly number[],
): number | undefined {
  const { names, attributes, parents, texts, events, hidden } = page
  const pictures = events.flatMap((event) =>
    (event & 3) === startTag && names[event >> 2] === 'img' ? [event >> 2] : [],
  )
  const isSeen = (node: number) => hidden[node] === 0 && !isPixel(attributes[node] as Attributes)
  if (pictures.length === 0 || !pictures.every(isSeen)) return undefined
  let last = seen.length - 1
  while (last >= 0 && isBlank(seen[last] as number, texts)) last -= 1
  const before = (seen[last] ?? 0) >> 2
  const isPicture = names[before] === 'img' || names[before] === 'picture'
  if (isPicture && parents[before] === parents[noscript]) {
    const from = seen.lastIndexOf(before * 4 + startTag)
    const image = seen.slice(from).find((event) => names[event >> 2] === 'img')
    const own = image === undefined ? undefined : attributes[image >> 2]
    return own === undefined || isPlaceholder(own) ? from : undefined
  }
  const isNamed = pictures.some((node) => (attributes[node]?.get('alt') ?? '').trim() !== '')
  const isFigure = /^(?:figure|picture|a)$/.test(names[parents[noscript] as number] as string)
  return isNamed || isFigure ? seen.length : undefined
}

function isBlank(event: number, texts: readonly string[]): boolean {
  return (event & 3) === textRun && (texts[event >> 2] as string).trim() === ''
}

function isPlaceholder(own: Attributes): boolean {
  if (lateAddressOf(own) !== undefined) return false
  return !isAddress(own.get('src')) || lateClass.test(own.get('class') ?? '')
}

/** Pictures that count visits are a pixel. */
function isPixel(own: Attributes): boolean {
  return ['width', 'height'].some((side) => /^\s*[01](?:px)?\s*$/.test(own.get(side) ?? ''))
}

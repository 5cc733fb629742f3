// Frames become part of the page that shows them.
import { buildContent } from './content/content-tree.ts'
import { writeHtml } from './content/write-html.ts'
import { baseUrlOf } from './page/base-url.ts'
import { seePage } from './page/see-page.ts'

/** What a frame of a page shows. */
export interface PageFrame {
  /** The place in the HTML of the page around it. */
  readonly at: number
  readonly html: string
  readonly url: string
  readonly frames?: readonly PageFrame[] | undefined
}

/** The HTML with the content of its frames, whose links are absolute. */
export function inlineFrames(
  html: string,
  frames: readonly PageFrame[] = [],
  options: { readonly isRendered: boolean },
): string {
  let from = 0
  const parts = frames
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, html: inner, url, frames: own }) => {
      const page = seePage(inlineFrames(inner, own, options), options)
      const content = writeHtml(buildContent(page, {}).children, baseUrlOf(page, url))
      const before = html.slice(from, at)
      from = at
      return [before, `<section>${content}</section>`]
    })
  return [...parts, html.slice(from)].join('')
}

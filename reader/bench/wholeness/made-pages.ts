// Whole pages around the structures: in many templates, with the furniture that pages have, and articles of any length.
import { createRandom } from '../../training/random.ts'
import { type StructureKind, structureKinds } from './made-structures.ts'
import { createWriter, type Language, type Writer } from './made-text.ts'

export type StructurePlace = 'start' | 'middle' | 'end'

export interface MadePage {
  readonly kind: StructureKind | 'article'
  readonly place: StructurePlace
  readonly template: string
  readonly url: string
  readonly html: string
  /** Undefined on pages of nothing but paragraphs. */
  readonly structure: string | undefined
  readonly paragraphs: readonly string[]
  /** Texts that stand outside of the content. */
  readonly furniture: readonly string[]
}

interface Story {
  readonly title: string
  /** As HTML: paragraphs, headings, and the structure. */
  readonly parts: readonly string[]
  readonly writer: Writer
  readonly related: readonly string[]
  readonly comments: readonly string[]
}

type Template = (story: Story) => string

const links = (texts: readonly string[]) =>
  texts.map((text, index) => `<li><a href="/p/${index}">${text}</a></li>`).join('')
const menu =
  '<ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li><li><a href="/about">About us</a></li><li><a href="/login">Log in</a></li></ul>'
const legal =
  '<p>© 2026 Example Media. All rights reserved.</p><ul><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li></ul>'
const constantFurniture = ['All rights reserved', 'Privacy policy', 'Log in']

const page = ({ title }: Story, body: string, head = '') =>
  `<!doctype html><html><head><title>${title} | Example</title>${head}</head><body>${body}</body></html>`
const articleType = '<meta property="og:type" content="article">'

const templates: Readonly<Record<string, Template>> = {
  article: (story) =>
    page(
      story,
      `<header><nav>${menu}</nav></header><main><article><h1>${story.title}</h1><p class="meta">By ${story.writer.person()} · 12 May 2026</p>${story.parts.join('')}</article><aside><h2>Read more</h2><ul>${links(story.related)}</ul></aside></main><footer>${legal}</footer>`,
      articleType,
    ),
  documentation: (story) =>
    page(
      story,
      `<div class="navbar">${menu}</div><div class="layout"><nav class="sidebar"><ul>${links(story.related)}</ul></nav><main class="markdown-body"><h1>${story.title}</h1>${story.parts.join('')}</main></div><footer class="footer">${legal}</footer>`,
    ),
  boxes: (story) =>
    page(
      story,
      `<div id="header"><div class="menu">${menu}</div></div><div id="page"><div id="content"><h1>${story.title}</h1><div class="post-body">${story.parts.join('')}</div></div><div id="sidebar"><div class="widget"><h3>Recent posts</h3><ul>${links(story.related)}</ul></div></div></div><div id="footer">${legal}</div>`,
    ),
  'a box for each paragraph': (story) =>
    page(
      story,
      `<header>${menu}</header><div class="story"><h1>${story.title}</h1><div class="story-text">${story.parts.map((part) => `<div class="component">${part}</div>`).join('')}</div></div><div class="teasers">${story.related.map((text) => `<div class="teaser"><h3><a href="/t">${text}</a></h3></div>`).join('')}</div><footer>${legal}</footer>`,
      articleType,
    ),
  wiki: (story) =>
    page(
      story,
      `<div id="content"><h1 id="firstHeading">${story.title}</h1><div id="mw-content-text"><div class="mw-parser-output">${story.parts.join('')}</div></div></div><div id="mw-navigation">${menu}<ul>${links(story.related)}</ul></div><div id="footer">${legal}</div>`,
    ),
  blog: (story) =>
    page(
      story,
      `<header class="site-header">${menu}</header><div class="content-area"><article class="post"><header class="entry-header"><h1 class="entry-title">${story.title}</h1></header><div class="entry-content">${story.parts.join('')}</div><footer class="entry-footer"><a href="/tag/a">Tags</a> <a href="#">Share</a></footer></article><div class="related-posts"><h3>You might also like</h3><ul>${links(story.related)}</ul></div></div><footer class="site-footer">${legal}</footer>`,
    ),
  plain: (story) =>
    page(
      story,
      `<p><a href="/">Home</a> | <a href="/news">News</a> | <a href="/login">Log in</a></p><hr><h1>${story.title}</h1>${story.parts.join('')}<hr><p>© 2026 Example Media. All rights reserved. <a href="/privacy">Privacy policy</a></p>`,
    ),
  'columns of a table': (story) =>
    page(
      story,
      `<table width="100%"><tr><td class="left">${menu}<ul>${links(story.related)}</ul></td><td class="main"><h1>${story.title}</h1>${story.parts.join('')}</td></tr><tr><td colspan="2">${legal}</td></tr></table>`,
    ),
  sections: (story) =>
    page(
      story,
      `<header><nav>${menu}</nav></header><main id="main"><h1>${story.title}</h1>${inSections(story.parts)}</main><section class="more"><h2>Related</h2><ul>${links(story.related)}</ul></section><footer>${legal}</footer>`,
    ),
  'comments below': (story) =>
    page(
      story,
      `<header><nav>${menu}</nav></header><div id="main"><article><h1>${story.title}</h1><div class="article-body">${story.parts.join('')}</div></article><section id="comments"><h2>Comments</h2>${story.comments.map((text) => `<div class="comment"><b>${story.writer.person()}</b><p>${text}</p></div>`).join('')}</section></div><footer>${legal}</footer>`,
      articleType,
    ),
  'teasers in the box': (story) =>
    page(
      story,
      `<header><nav>${menu}</nav></header><main><div class="entry-content"><h1>${story.title}</h1>${story.parts.join('')}<div class="newsletter"><p>Sign up for our newsletter</p></div><div class="related-posts"><h3>You might also like</h3><ul>${links(story.related)}</ul></div></div></main><footer>${legal}</footer>`,
    ),
}

/** A section begins at each heading. */
function inSections(parts: readonly string[]): string {
  const sections: string[][] = [[]]
  for (const part of parts) {
    if (part.startsWith('<h2>')) sections.push([])
    sections.at(-1)?.push(part)
  }
  return sections.map((section) => `<section>${section.join('')}</section>`).join('')
}

const places: readonly StructurePlace[] = ['start', 'middle', 'end']
const languages: readonly Language[] = ['en', 'de', 'en']
const articleLengths = [120, 300, 600, 1_000, 1_500]

/** Each structure at each place in each template, `rounds` times with other texts. */
export function* madePages(seed: number, rounds = languages.length): Generator<MadePage> {
  for (let round = 0; round < rounds; round += 1)
    for (const kind of Object.keys(structureKinds) as StructureKind[])
      for (const place of places)
        for (const template of Object.keys(templates)) {
          const random = createRandom(seedOf(`${seed} ${round} ${kind} ${place} ${template}`))
          const writer = createWriter(languages[round % languages.length] as Language, random)
          yield madePage(writer, template, place, kind, writer.count(5, 16))
        }
}

export function* longArticles(seed: number): Generator<MadePage> {
  for (const length of articleLengths)
    for (const template of Object.keys(templates)) {
      const random = createRandom(seedOf(`${seed} ${length} ${template}`))
      yield madePage(createWriter('en', random), template, 'end', 'article', length)
    }
}

const headingEvery = 4

function madePage(
  writer: Writer,
  template: string,
  place: StructurePlace,
  kind: MadePage['kind'],
  length: number,
): MadePage {
  const paragraphs = Array.from({ length }, () => writer.paragraph())
  const structure = kind === 'article' ? undefined : structureKinds[kind](writer)
  const parts = paragraphs.flatMap((text, index) => {
    const hasHeading = index > 0 && index % headingEvery === 0
    return [...(hasHeading ? [`<h2>${writer.heading()}</h2>`] : []), `<p>${text}</p>`]
  })
  if (structure !== undefined) parts.splice(placeIn(parts, place), 0, structure)
  const related = Array.from(
    { length: writer.count(3, 7) },
    () => `${writer.heading()} ${writer.label()}`,
  )
  const title = `${writer.heading()} and the ${writer.noun()}`
  const comments = Array.from({ length: writer.count(2, 6) }, () => writer.paragraph())
  const html = (templates[template] as Template)({ title, parts, writer, related, comments })
  const shown = [...constantFurniture, ...related, ...comments]
  return {
    kind,
    place,
    template,
    structure,
    paragraphs,
    url: `https://example.com/${writer.count(1_000, 9_999)}/${writer.noun().toLowerCase()}`,
    html,
    furniture: shown.filter((text) => html.includes(text)),
  }
}

/** A structure in the middle never ends a section. */
function placeIn(parts: readonly string[], place: StructurePlace): number {
  if (place === 'start') return 0
  if (place === 'end') return parts.length
  const middle = Math.floor(parts.length / 2)
  return parts[middle]?.startsWith('<h2>') ? middle + 1 : middle
}

function seedOf(text: string): number {
  let seed = 0
  for (const character of text) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0
  return seed
}

// The training data as it is found: folders with a pages.jsonl.gz, of WCXB's development split or of pages with
// snippets.
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { getDomain } from 'tldts'
import { decodeText } from '../src/page/charset/decode.ts'

/** What is known of a page: its whole content, or pieces that belong to it and pieces that do not. */
export type Truth =
  | { readonly kind: 'content'; readonly content: string }
  | {
      readonly kind: 'snippets'
      readonly with: readonly string[]
      readonly without: readonly string[]
    }

export interface LabelledPage {
  readonly id: string
  /** Empty where the data does not tell. */
  readonly url: string
  /** The name of the site without its suffix; pages of one site never stand on both sides of a fold. */
  readonly site: string
  readonly type: string
  readonly html: string
  readonly truth: Truth
  /** Undefined where the data does not tell. */
  readonly title: string | undefined
}

interface WrittenContent {
  readonly id: string
  readonly html: string
  readonly truth: {
    readonly url?: string
    readonly _internal?: { readonly page_type?: { readonly primary?: string } }
    readonly ground_truth: {
      readonly url?: string
      readonly main_content?: string | null
      readonly title?: string | null
    }
  }
}

interface WrittenSnippets {
  readonly url: string
  readonly html?: string
  /** The bytes as they were sent, for pages whose charset is to be found. */
  readonly html_base64?: string
  readonly with: readonly string[]
  readonly without: readonly string[]
}

/** All pages of all folders. */
export async function* readPages(folders: readonly string[]): AsyncGenerator<LabelledPage> {
  for (const folder of folders) yield* readFolder(folder)
}

/** Lines end at line feeds only: pages hold other characters that count as line ends elsewhere. */
async function* readFolder(folder: string): AsyncGenerator<LabelledPage> {
  const stream = createReadStream(path.join(folder, 'pages.jsonl.gz')).pipe(createGunzip())
  let rest: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      yield pageOf(Buffer.concat([...rest, chunk.subarray(from, end)]).toString())
      rest = []
      from = end + 1
    }
    rest.push(chunk.subarray(from))
  }
  const last = Buffer.concat(rest).toString()
  if (last.trim() !== '') yield pageOf(last)
}

const lineFeed = 0x0a

function pageOf(line: string): LabelledPage {
  const written = JSON.parse(line) as WrittenContent | WrittenSnippets
  return 'truth' in written ? contentPage(written) : snippetPage(written)
}

function contentPage({ id, html, truth }: WrittenContent): LabelledPage {
  const type = truth._internal?.page_type?.primary ?? 'article'
  const url = truth.url ?? truth.ground_truth.url ?? ''
  return {
    id,
    url,
    site: siteOf(url) ?? id,
    type: type === 'category' ? 'collection' : type,
    html,
    truth: { kind: 'content', content: truth.ground_truth.main_content ?? '' },
    title: truth.ground_truth.title ?? '',
  }
}

function snippetPage(written: WrittenSnippets): LabelledPage {
  // Pages of the Wayback Machine are pages of the site that it recorded.
  const address = written.url.replace(/^https?:\/\/web\.archive\.org\/web\/\d+\//, '')
  // Some addresses are names of files instead: `hard::nationnews.com-schools.html`.
  const named = /^\w+::([^.]+)/.exec(address)?.[1]
  return {
    id: written.url,
    url: named === undefined ? address : '',
    site: named ?? siteOf(address) ?? written.url,
    type: 'snippets',
    html:
      written.html ?? decodeText(Buffer.from(written.html_base64 ?? '', 'base64'), undefined).text,
    truth: { kind: 'snippets', with: written.with, without: written.without },
    title: undefined,
  }
}

function siteOf(url: string): string | undefined {
  return getDomain(url)?.split('.')[0]
}

// The training data as it is found: pages.jsonl.gz of the WCXB development split.
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { getDomain } from 'tldts'

export interface LabelledPage {
  readonly id: string
  readonly url: string
  /** The registrable domain; pages of one domain never stand on both sides of a fold. */
  readonly domain: string
  readonly type: string
  readonly html: string
  readonly truth: string
  readonly title: string
}

interface WrittenPage {
  id: string
  html: string
  truth: {
    url?: string
    _internal?: { page_type?: { primary?: string } }
    ground_truth: { url?: string; main_content?: string | null; title?: string | null }
  }
}

/** Lines end at line feeds only: pages hold other characters that count as line ends elsewhere. */
export async function* readPages(folder: string): AsyncGenerator<LabelledPage> {
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
  const { id, html, truth } = JSON.parse(line) as WrittenPage
  const type = truth._internal?.page_type?.primary ?? 'article'
  const url = truth.url ?? truth.ground_truth.url ?? ''
  return {
    id,
    url,
    domain: getDomain(url) ?? id,
    type: type === 'category' ? 'collection' : type,
    html,
    truth: truth.ground_truth.main_content ?? '',
    title: truth.ground_truth.title ?? '',
  }
}

// Compares the table of media models with the vendor's lists and prints what differs: `npm run media-models`. It reads
// the lists with the vendor's key (NS_MEDIA_API_KEY or FAL_API_KEY), or from files that were saved before:
//   npm run media-models -- --from FOLDER    prices.json { prices: [...] } and models.json { models: [...] }
//   npm run media-models -- --new            lists models that the table does not have, too
// It changes nothing, and ends with 1 if something differs.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { shippedRows } from '../../src/catalog/ns_media/lib/models.ts'
import {
  differences,
  type TableRow,
  unlisted,
  type VendorLists,
  type VendorModel,
  type VendorPrice,
} from './compare.ts'

const platform = 'https://api.fal.ai/v1'
/** As many ids as the vendor takes in one request. */
const idsAtOnce = 50
const pagesMax = 200
const categories = [
  ...['text-to-image', 'image-to-image', 'text-to-video', 'image-to-video', 'video-to-video'],
  ...['audio-to-video', 'text-to-speech', 'text-to-audio', 'text-to-music'],
]

const rows = Object.assign({}, ...Object.values(shippedRows)) as Record<string, TableRow>
const wantsNew = process.argv.includes('--new')
const from = process.argv[process.argv.indexOf('--from') + 1]
const lists = process.argv.includes('--from') ? await readLists(from ?? '') : await fetchLists()
const lines = [
  ...differences(rows, lists),
  ...(wantsNew ? unlisted(rows, lists.models, categories) : []),
]
for (const line of lines) console.log(line)
console.log(`${Object.keys(rows).length} models, ${lines.length} differences.`)
process.exit(lines.length === 0 ? 0 : 1)

async function readLists(folder: string): Promise<VendorLists> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))
  const [{ prices }, { models }] = [await read('prices.json'), await read('models.json')]
  return { prices, models }
}

async function fetchLists(): Promise<VendorLists> {
  const key = process.env.NS_MEDIA_API_KEY ?? process.env.FAL_API_KEY
  if (key === undefined) {
    console.error('Set NS_MEDIA_API_KEY, or name a folder with saved lists: --from FOLDER.')
    process.exit(1)
  }
  const ids = Object.values(rows).map(({ endpoint }) => endpoint)
  const prices: VendorPrice[] = []
  const models: VendorModel[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce).map((id): [string, string] => ['endpoint_id', id])
    prices.push(...(await readPages<VendorPrice>(key, '/models/pricing', some, 'prices')))
    const expanded: [string, string][] = [...some, ['expand', 'openapi-3.0']]
    models.push(...(await readPages<VendorModel>(key, '/models', expanded, 'models')))
  }
  if (wantsNew)
    for (const category of categories)
      models.push(
        ...(await readPages<VendorModel>(key, '/models', [['category', category]], 'models')),
      )
  return { prices, models }
}

async function readPages<Row>(
  key: string,
  place: string,
  query: readonly [string, string][],
  name: string,
): Promise<Row[]> {
  const found: Row[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < pagesMax; pages++) {
    const asked = new URLSearchParams([...query, ...(cursor ? [['cursor', cursor]] : [])])
    const reply = await fetch(`${platform}${place}?${asked}`, {
      headers: { authorization: `Key ${key}` },
    })
    if (!reply.ok) throw new Error(`${place} answered ${reply.status}.`)
    const page = await reply.json()
    found.push(...(page[name] ?? []))
    if (!page.has_more || !page.next_cursor) return found
    cursor = page.next_cursor
  }
  throw new Error(`${place} has more than ${pagesMax} pages.`)
}

// Checks the HTML of a page. Reports the facts that it finds and names what is missing.
import type { RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { plainText } from '../../lib/plain-text.ts'

const titleCharactersMax = 60
const descriptionCharactersMax = 160

/** Matches the exact name: `data-alt` is not `alt`. */
const attribute = (tag: string, name: string) =>
  new RegExp(`(?<![\\w-])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i')
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)

function meta(html: string, name: string): string | null {
  const tag = [...html.matchAll(/<meta\b[^>]*>/gi)].find(
    ([text]) => (attribute(text, 'name') ?? attribute(text, 'property'))?.toLowerCase() === name,
  )?.[0]
  return (tag && attribute(tag, 'content')) ?? null
}

/** Fetches the page with its head, through proxies if this gateway has them and otherwise directly. */
export async function readSource(
  { call, available }: Pick<RunContext<unknown>, 'call' | 'available'>,
  url: string,
): Promise<string | null> {
  if (available('ns_resi/scrape')) return (await call('ns_resi/scrape', { url })).raw
  const plain = { url, formats: ['rawHtml'], renderJs: false }
  return (await call('ns_render_b/scrape', plain)).rawHtml
}

export function auditPage(page: { html?: string | null; url?: string }) {
  const html = page.html ?? ''
  if (html === '') throw fail('all_blocked')
  // A truncated page may have had what is missing.
  if (!/<head[\s>]/i.test(html)) {
    throw fail('upstream_error', {
      message: 'The page came without its head, so there is nothing to audit. Nothing was charged.',
    })
  }
  const url = page.url ?? ''
  const title = /<title[^>]*>(.*?)<\/title>/is.exec(html)?.[1]
  const images = [...html.matchAll(/<img\b[^>]*>/gi)].map(([tag]) => attribute(tag, 'alt'))
  const canonical = /<link\b[^>]*\srel\s*=\s*["']?canonical["']?[^>]*>/i.exec(html)?.[0]
  const facts = {
    title: title === undefined ? null : plainText(title),
    description: meta(html, 'description'),
    canonical: (canonical && attribute(canonical, 'href')) ?? null,
    language: attribute(/<html\b[^>]*>/i.exec(html)?.[0] ?? '', 'lang') ?? null,
    headings: [...html.matchAll(/<h1\b[^>]*>(.*?)<\/h1>/gis)].map(([, text = '']) =>
      plainText(text),
    ),
    robots: meta(html, 'robots'),
    viewport: meta(html, 'viewport'),
    open_graph_title: meta(html, 'og:title'),
    structured_data: /application\/ld\+json/i.test(html),
    images: images.length,
    images_without_alt: images.filter((alt) => alt === undefined).length,
    words: plainText(html.replaceAll(/<(script|style)\b.*?<\/\1>/gis, '')).split(/\s+/).length,
  }
  const checks: readonly (readonly [boolean, string])[] = [
    [facts.title === null, 'There is no title.'],
    [
      (facts.title?.length ?? 0) > titleCharactersMax,
      `The title is longer than ${titleCharactersMax} characters.`,
    ],
    [facts.description === null, 'There is no meta description.'],
    [
      (facts.description?.length ?? 0) > descriptionCharactersMax,
      `The description is longer than ${descriptionCharactersMax} characters.`,
    ],
    [
      facts.headings.length !== 1,
      `There are ${facts.headings.length} headings of the first level; one is usual.`,
    ],
    [facts.canonical === null, 'There is no canonical address.'],
    [facts.language === null, 'The page does not say its language.'],
    [facts.viewport === null, 'There is no viewport for small screens.'],
    [/noindex/i.test(facts.robots ?? ''), 'Search engines are asked not to index the page.'],
    [facts.images_without_alt > 0, `${facts.images_without_alt} images have no alternative text.`],
    [facts.open_graph_title === null, 'There is no Open Graph title for shared links.'],
    [!facts.structured_data, 'There is no structured data.'],
    [url.startsWith('http:'), 'The page is not served over https.'],
  ]
  return { url, ...facts, findings: checks.flatMap(([found, text]) => (found ? [text] : [])) }
}

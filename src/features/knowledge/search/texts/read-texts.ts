// Reads the texts that the best evidence lacks: filings by their registry, and pages by our own reader.

import type { PageText, PageTexts } from '#core/rooms/page-texts.ts'
import { withDeadline } from '#platform/deadline.ts'
import type { Evidence } from '../evidence.ts'
import { contentCharactersMax } from '../lanes/findings.ts'
import { createPaidCall } from '../lanes/paid-call.ts'
import { type AnswerReceipt, keepAnswers } from '../lanes/receipts.ts'
import type { PagesDependencies, PagesRequest } from '../pages.ts'

/** Results that are read when whole texts are wanted, and of documentation. */
const pagesReadMax = 3
/** Results that have no text of their own, or hardly one. */
const bareReadMax = 5
/** Filings cost a cent each. */
const filingsReadMax = { usual: 1, whole: 3 }
const documents = 'ns_filings/document'
/** Of a filing. Some hold a hundred exhibits. */
const documentCharactersMax = 3_000_000
const filingAddress = /^https:\/\/www\.sec\.gov\/Archives\/edgar\/data\/(\d+)\/(\d{18})\/([^/?#]+)$/
const filingFacets: ReadonlySet<string> = new Set(['public-filings', 'funding'])

interface Read {
  readonly content: string
  readonly receipt: AnswerReceipt | undefined
}

/** What cannot be read stays as it is. */
export async function withTexts(
  evidence: readonly Evidence[],
  request: PagesRequest & { readonly withContent: boolean },
  dependencies: PagesDependencies,
): Promise<readonly Evidence[]> {
  const { withContent } = request
  const unread = evidence.filter(({ content }) => content === null)
  const filings = unread
    .filter(({ facet, url }) => filingFacets.has(facet) && filingAddress.test(url))
    .slice(0, withContent ? filingsReadMax.whole : filingsReadMax.usual)
  const others = unread.filter(({ url }) => !filingAddress.test(url))
  const pages = new Set([
    ...(withContent ? others.slice(0, pagesReadMax) : []),
    ...others.filter(({ facet }) => facet === 'docs').slice(0, pagesReadMax),
    ...others.filter(({ snippet, isThin }) => snippet === null || isThin).slice(0, bareReadMax),
  ])
  if (filings.length === 0 && pages.size === 0) return evidence
  const [ofFilings, ofPages] = await Promise.all([
    Promise.all(filings.map((each) => readFiling(each, request, dependencies))),
    readPages([...pages], request, dependencies),
  ])
  request.context.signal.throwIfAborted()
  const texts = new Map([...ofFilings.filter((each) => each !== undefined), ...ofPages])
  return evidence.map((each) => {
    const read = texts.get(each)
    return read === undefined ? each : withText(each, read)
  })
}

function withText({ isThin: _, ...evidence }: Evidence, { content, receipt }: Read): Evidence {
  const { citations, url } = evidence
  return {
    ...evidence,
    content: content.slice(0, contentCharactersMax),
    citations: receipt === undefined ? citations : [...citations, { ...receipt, url }],
  }
}

async function readFiling(
  evidence: Evidence,
  { context, purse, receipts, timeoutMs }: PagesRequest,
  { pages, priceOf, clock }: PagesDependencies,
): Promise<readonly [Evidence, Read] | undefined> {
  const [, cik, accession, filename] = filingAddress.exec(evidence.url) ?? []
  if (!context.available(documents)) return undefined
  return await withDeadline(
    { timeoutMs: timeoutMs, outer: context.signal, clock },
    async (signal): Promise<readonly [Evidence, Read] | undefined> => {
      const paid = createPaidCall(context, { purse, priceOf, signal })
      const { call } = keepAnswers(paid, receipts)
      const found = await call(documents, { cik, accession, filename })
      const text: string = found.content.slice(0, documentCharactersMax)
      const content = await readDocument(text, evidence.url, pages)
      return content === '' ? undefined : [evidence, { content, receipt: receipts.find(found) }]
    },
  ).catch(() => undefined)
}

async function readDocument(text: string, url: string, pages: PageTexts): Promise<string> {
  if (/\.xml$/i.test(url)) return valuesOfXml(text)
  if (!/\.html?$/i.test(url)) return text.trim()
  return (await pages.textOf(text, url)).content.trim()
}

/** The values of a form that is filed as data, each with the name of its element. */
function valuesOfXml(xml: string): string {
  return [...xml.matchAll(/<([\w:-]+)[^<>]*>\s*([^<>\s][^<>]*?)\s*<\/\1>/g)]
    .map(([, name = '', value = '']) => `${spaced(name)}: ${value}`)
    .join('\n')
}

/** `totalOfferingAmount` as "total offering amount". */
const spaced = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

async function readPages(
  evidence: readonly Evidence[],
  { context, purse, receipts, timeoutMs }: PagesRequest,
  { pages, priceOf }: PagesDependencies,
): Promise<readonly (readonly [Evidence, Read])[]> {
  const named = evidence.flatMap((each) => admitted(each, pages))
  if (named.length === 0) return []
  const urls = [...new Set(named.map(({ normal }) => normal))]
  const call = createPaidCall(context, { purse, priceOf, signal: context.signal })
  const rows = await pages
    .read(urls, { ...context, isHard: false, timeoutMs, call })
    .catch((): readonly PageText[] => [])
  const byUrl = new Map(rows.map((row) => [row.url, row]))
  return named.flatMap(({ each, normal }) => {
    const row = byUrl.get(normal)
    if (!row?.content?.trim()) return []
    const receipt = receipts.find(row) ?? receipts.take(row.source ?? 'page', row)
    return [[each, { content: row.content, receipt }] as const]
  })
}

function admitted(each: Evidence, pages: PageTexts) {
  try {
    return pages.admit([each.url]).map((normal) => ({ each, normal }))
  } catch {
    return []
  }
}

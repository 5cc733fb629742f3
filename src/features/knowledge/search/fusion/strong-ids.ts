// The identifiers of the document that a finding leads to.
import type { SourceResult } from '../evidence.ts'

/** Two documents with different identifiers of one kind are different, however alike their texts are. */
export type StrongIds = ReadonlyMap<string, string>

const doiPattern = /\b10\.\d{4,9}\/[^\s"'<>?#]+/i
const arxivPattern = /\b(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?\b/i

export function strongIds(finding: SourceResult): StrongIds {
  if (finding.figure !== undefined) return new Map([['figure', finding.figure]])
  const url = URL.parse(finding.url)
  const path = url === null ? '' : safelyDecoded(url.pathname)
  const host = url?.hostname.toLowerCase().replace(/^www\./, '') ?? ''
  const doi = doiOf(finding.doi ?? (doiOfHost(host, path) || path))
  const arxivDoi = doi === undefined ? undefined : /^10\.48550\/arxiv\.(.+)$/.exec(doi)?.[1]
  const arxiv = finding.arxiv ?? arxivDoi ?? (host.endsWith('arxiv.org') ? path : undefined)
  const ids: readonly (readonly [string, string | undefined])[] = [
    ['doi', arxivDoi === undefined ? doi : undefined],
    ['arxiv', arxiv === undefined ? undefined : arxivPattern.exec(arxiv)?.[1]?.toLowerCase()],
    ['filing', filingOf(finding.accession, host, path)],
    ['docket', finding.docket?.toLowerCase().replaceAll(/\s/g, '')],
    [
      'wikidata',
      finding.wikidata ?? (host === 'wikidata.org' ? /\bQ\d+$/.exec(path)?.[0] : undefined),
    ],
    ['register document', registerDocumentOf(host, path)],
  ]
  return new Map(ids.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** The anthology of computational linguistics has the number of the DOI as its path. */
const doiOfHost = (host: string, path: string) =>
  host === 'aclanthology.org'
    ? `10.18653/v1${path.replace(/\/$/, '').replace(/(?:v\d+)?\.pdf$/, '')}`
    : ''

function doiOf(text: string): string | undefined {
  const doi = doiPattern.exec(text)?.[0].toLowerCase()
  return doi
    ?.replace(/(?:\.pdf|\/(?:full|pdf|abstract|epdf|html)|[.,;)\]])+$/, '')
    .replace(/(?<=^10\.48550\/arxiv\..*)v\d+$/, '')
}

/** An exhibit is a document of its own, so its file name is part of the identifier. */
function filingOf(accession: string | undefined, host: string, path: string): string | undefined {
  const inPath = host.endsWith('sec.gov') ? /\/(\d{10}-?\d{2}-?\d{6})\b/.exec(path)?.[1] : undefined
  const number = (accession ?? inPath)?.replaceAll(/\D/g, '')
  if (number === undefined) return undefined
  const [exhibit] = /[^/]*ex[-_]?\d[^/]*\.\w+$/i.exec(path) ?? []
  return exhibit === undefined ? number : `${number} ${exhibit.toLowerCase()}`
}

/** The Federal Register numbers its documents, and its official copy names the number. */
function registerDocumentOf(host: string, path: string): string | undefined {
  if (!/(?:^|\.)(?:federalregister|govinfo)\.gov$/.test(host)) return undefined
  return /(?:^|\/)((?:19|20)\d{2}-\d{4,6})(?=\/|\.|$)/.exec(path)?.[1]
}

function safelyDecoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

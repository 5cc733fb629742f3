import { z } from '#core/action.ts'

/** Pads a CIK to ten digits, as in the addresses of EDGAR's API. */
export const padCik = (cik: string | number) =>
  String(cik).replace(/\D/g, '').padStart(10, '0').slice(-10)
/** Without leading zeros, as in the addresses of the archive. */
const bareCik = (cik: string) => cik.replace(/^0+(?=\d)/, '')

export const cikText = z
  .string()
  .trim()
  .regex(/^([Cc][Ii][Kk])?0*\d{1,10}$/, 'must be a CIK such as 320193 or 0000320193')

export const cik = z
  .union([cikText, z.int().min(1).max(9_999_999_999)])
  .transform(padCik)
  .describe('Central Index Key of the registrant, with or without leading zeros.')

/** `0000320193-23-000106` from either spelling. */
export const dashed = (accession: string) =>
  accession.replace(/^(\d{10})-?(\d{2})-?(\d{6})$/, '$1-$2-$3')

export const accession = z
  .string()
  .trim()
  .regex(/^\d{10}-?\d{2}-?\d{6}$/, 'must be an accession number such as 0000320193-23-000106')
  .transform(dashed)
  .describe('Accession number of the filing, with or without dashes.')

/** The path of a filing's file in the archive. */
export function archivePath(registrant: string, filing: string, filename: string): string {
  const folder = `/Archives/edgar/data/${bareCik(registrant)}/${filing.replaceAll('-', '')}`
  return `${folder}/${filename.split('/').map(encodeURIComponent).join('/')}`
}

export const archiveUrl = (...parts: Parameters<typeof archivePath>) =>
  `https://www.sec.gov${archivePath(...parts)}`

// Whether a page that a vendor has read is a page at all: not a challenge or a refusal in its place, not a bare notice
// that asks to wait, and not an empty document.
import { judgePage } from '@tollway/reader'
import type { SoldPage } from '#core/calls/sold-page.ts'
import type { PageWorkers } from './page-workers.ts'
import { readReply } from './reply.ts'

export type WallCheck = (page: SoldPage) => Promise<boolean>

/** A waiting page says no more than this. */
const wordsOfNoticeMax = 12
const markup = /^\s*(<|\ufeff<)/
/** The parts that every document has. */
const frame = /<!doctype[^>]*>|<\/?(html|head|body)\b[^>]*>/gi

export function createWallCheck(workers: PageWorkers): WallCheck {
  async function judge({ body, status, url }: SoldPage) {
    const reply = {
      kind: markup.test(body) ? 'html' : 'markdown',
      body,
      rendered: true,
      finalUrl: url,
      status: status ?? 200,
      headers: {},
    } as const
    const { survey } = await readReply(reply, { format: 'html', mainContent: false }, workers)
    return { survey, verdict: judgePage({ ...reply, html: body, survey }) }
  }

  /**
   * Judges the words of a short page by themselves. Its scripts would make it an application that is still to be
   * filled.
   */
  async function isNotice(page: SoldPage, title: string, text: string): Promise<boolean> {
    const words = text === '' ? title : text
    if (words === '' || words.split(/\s+/).length > wordsOfNoticeMax) return false
    const body = `<title>${escapeHtml(title)}</title><body>${escapeHtml(words)}</body>`
    const { verdict } = await judge({ ...page, body })
    return verdict.kind === 'javascript_required' || verdict.flags.includes('blocked')
  }

  return async (page) => {
    if (page.body.replace(frame, '').trim() === '') return true
    try {
      const { survey, verdict } = await judge(page)
      if (verdict.flags.includes('blocked')) return true
      if (markup.test(page.body)) return await isNotice(page, survey.title ?? '', survey.text)
      const words = page.body.replace(/[#*_>`]/g, '').trim()
      return await isNotice(page, words, words)
    } catch {
      // A page that cannot be parsed is not called a wall.
      return false
    }
  }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

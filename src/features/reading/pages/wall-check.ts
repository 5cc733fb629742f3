// Whether a page that a vendor has read is a wall: a challenge or a refusal where the page should be.

import { judgePage } from '@tollway/reader'
import type { SoldPage } from '#core/action.ts'
import type { PageWorkers } from './page-workers.ts'
import { readReply } from './reply.ts'

export type WallCheck = (page: SoldPage) => Promise<boolean>

export function createWallCheck(workers: PageWorkers): WallCheck {
  return async ({ body, status, url }) => {
    const isMarkup = /^\s*(<|\ufeff<)/.test(body)
    const reply = {
      kind: isMarkup ? 'html' : 'markdown',
      body,
      rendered: true,
      finalUrl: url,
      status: status ?? 200,
      headers: {},
    } as const
    try {
      const { survey } = await readReply(reply, { format: 'html', mainContent: false }, workers)
      return judgePage({ ...reply, html: body, survey }).flags.includes('blocked')
    } catch {
      // A page that cannot be parsed is not called a wall.
      return false
    }
  }
}

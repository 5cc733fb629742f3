// What a page costs on the deep tier, by the rung that read it. Source: spec, "Rung order".

import type { Rung } from './rungs.ts'

/** A price of its own, in whole cents; or a share of the one price for all pages that a job reads on rung 1. */
export type RungPrice = number | 'batch'

const priceByPosition: Readonly<Record<number, RungPrice>> = {
  1: 'batch',
  2: 1,
  3: 1,
  4: 2,
  5: 4,
  6: 1,
}
/** Of the rungs that have a price of their own. */
export const cheapestRungCents = 1
const batchCentsPerPage = 0.1
const batchCentsMin = 1

export function rungPrice({ position }: Pick<Rung, 'position'>): RungPrice {
  const price = priceByPosition[position]
  if (price === undefined) throw new RangeError(`The ladder has no rung ${position}.`)
  return price
}

/** The price of one call of the rung. The rest of a batch's minimum belongs to no call. */
export function callCents(price: RungPrice): number {
  return price === 'batch' ? batchCentsPerPage : price
}

/** What so many pages of rung 1 cost one job together. */
export function batchCents(pages: number): number {
  return pages === 0 ? 0 : Math.max(batchCentsMin, pages * batchCentsPerPage)
}

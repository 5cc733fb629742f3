// The whole table of platform data, in alphabetical order.
import { commerce } from '../commerce.ts'
import { networks } from '../networks.ts'
import { professional } from '../professional.ts'
import { video } from '../video.ts'
import type { PlatformRow } from './table-row.ts'

export const platformTable: readonly PlatformRow[] = [
  ...commerce,
  ...networks,
  ...professional,
  ...video,
].toSorted((one, other) => (one.id < other.id ? -1 : 1))

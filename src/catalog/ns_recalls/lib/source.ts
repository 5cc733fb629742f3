import type { ProviderHttp } from '#core/ports.ts'
import type { Recall } from './recall-object.ts'

export interface RecallQuestion {
  readonly q: string
  readonly date_gte?: string | undefined
  readonly date_lte?: string | undefined
  /** So many of the newest are needed. */
  readonly reach: number
}

export interface Source {
  /** Whether it can be asked so; absent: it always can. */
  takes?(q: string): boolean
  /** The newest that match, and how many match. */
  search(
    http: ProviderHttp,
    question: RecallQuestion,
  ): Promise<{ readonly total: number; readonly recalls: Recall[] }>
  get(http: ProviderHttp, key: string): Promise<Recall[]>
}

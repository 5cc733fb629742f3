import type { ProviderHttp } from '#core/ports.ts'
import type { Recall } from './recall-object.ts'

export interface RecallQuestion {
  readonly q: string
  readonly date_gte?: string | undefined
  readonly date_lte?: string | undefined
  /** The number of newest recalls that are needed. */
  readonly reach: number
}

export interface Source {
  /** Whether the source can answer this search. Absent: it always can. */
  takes?(q: string): boolean
  /** The newest matching recalls, and the number of all that match. */
  search(
    http: ProviderHttp,
    question: RecallQuestion,
  ): Promise<{ readonly total: number; readonly recalls: Recall[] }>
  get(http: ProviderHttp, key: string): Promise<Recall[]>
}

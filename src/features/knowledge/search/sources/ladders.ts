// The sources of each facet, in the order in which they are asked.
import type { Platform, SearchedFacet } from '../facets.ts'
import { entity } from './entities.ts'
import { reportedFigures } from './figures.ts'
import * as filings from './filings.ts'
import * as law from './law.ts'
import { nonprofits, taxReturns } from './nonprofits.ts'
import * as press from './press.ts'
import { socialPosts } from './social.ts'
import type { SearchSource } from './source.ts'
import * as web from './web.ts'

export interface FacetLadder {
  /** The sources of a step are asked side by side, and the next step only when this one has found nothing. */
  readonly steps: readonly (readonly SearchSource[])[]
  /** Two independent indexes that are raced when time is critical. */
  readonly race?: readonly [SearchSource, SearchSource]
}

/** This machine can ask these without a vendor's key. The most general comes first. */
const keyless = [web.encyclopedia, web.knowledgeGraph, press.worldPress, press.scholarlyWorks]

const ladders: Readonly<Record<Exclude<SearchedFacet, 'web' | 'social' | 'own'>, FacetLadder>> = {
  docs: {
    steps: [[web.semantic], [web.passagePages], [web.independent], [web.encyclopedia]],
  },
  news: {
    steps: [[press.newsIndex, press.worldPress], [web.passagesOfNews]],
    race: [press.newsIndex, web.passagesOfNews],
  },
  academic: { steps: [[press.scholarlyWorks], [web.semanticPapers]] },
  code: {
    steps: [[web.semanticRepositories], [web.independentRepositories], [web.encyclopedia]],
  },
  'public-filings': {
    steps: [[filings.filingsOfCompany], [filings.filingTexts]],
  },
  funding: { steps: [[filings.offerings], [press.newsIndex, press.worldPress]] },
  financials: { steps: [[reportedFigures], [filings.filingTexts]] },
  legal: { steps: [[law.caseLaw, law.dockets], [web.semantic], [press.scholarlyWorks]] },
  nonprofits: { steps: [[taxReturns], [nonprofits]] },
  regulatory: {
    steps: [[law.federalRules, law.assignees], [law.patents], [law.codeOfRules]],
  },
  compliance: { steps: [[entity]] },
}

interface LadderOptions {
  readonly platform: Platform
  readonly own: SearchSource
  /** Whether this gateway can ask a source. */
  readonly available?: (id: string) => boolean
}

export function ladderOf(
  facet: SearchedFacet,
  { platform, own, available = () => true }: LadderOptions,
): FacetLadder {
  if (facet === 'social') return { steps: [[socialPosts[platform]]] }
  if (facet === 'own') return { steps: [[own]] }
  if (facet !== 'web') return ladders[facet]
  // The first two of them that this gateway has. The first step also says which it does not have.
  const indexes = [web.semantic, web.independent, web.passages, web.excerpts]
  const second = indexes.filter(({ id }) => available(id))[1]
  const pair = second === undefined ? indexes : indexes.slice(0, indexes.indexOf(second) + 1)
  const others = indexes.slice(pair.length).map((index) => [index])
  return {
    steps: [pair, ...others, [...keyless, own]],
    race: [web.semantic, web.independent],
  }
}

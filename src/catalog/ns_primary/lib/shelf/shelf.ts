// The shelf: primary sources that need no key. A new source is one file, its example reply, and a line here.
import type { PrimarySource } from '../source.ts'
import { canadaSeries } from './economy/canada-series.ts'
import { euStatistics } from './economy/eu-statistics.ts'
import { euroExchangeRates } from './economy/euro-exchange-rates.ts'
import { euroKeyRates } from './economy/euro-key-rates.ts'
import { usDebt } from './economy/us-debt.ts'
import { usLabor } from './economy/us-labor.ts'
import { usReferenceRates } from './economy/us-reference-rates.ts'
import { worldIndicators } from './economy/world-indicators.ts'
import { euTenders } from './government/eu-tenders.ts'
import { ukElections } from './government/uk-elections.ts'
import { ukParliament } from './government/uk-parliament.ts'
import { usGrants } from './government/us-grants.ts'
import { usLobbying } from './government/us-lobbying.ts'
import { usSpending } from './government/us-spending.ts'
import { earthquakes } from './nature/earthquakes.ts'
import { tides } from './nature/tides.ts'
import { ukFloods } from './nature/uk-floods.ts'
import { usRivers } from './nature/us-rivers.ts'
import { weatherAlerts } from './nature/weather-alerts.ts'
import { healthProviders } from './registers/health-providers.ts'
import { legalEntities } from './registers/legal-entities.ts'
import { usBanks } from './registers/us-banks.ts'
import { vulnerabilities } from './registers/vulnerabilities.ts'

export const shelf: Readonly<Record<string, PrimarySource>> = {
  'canada-series': canadaSeries,
  earthquakes,
  'eu-statistics': euStatistics,
  'eu-tenders': euTenders,
  'euro-exchange-rates': euroExchangeRates,
  'euro-key-rates': euroKeyRates,
  'health-providers': healthProviders,
  'legal-entities': legalEntities,
  tides,
  'uk-elections': ukElections,
  'uk-floods': ukFloods,
  'uk-parliament': ukParliament,
  'us-banks': usBanks,
  'us-debt': usDebt,
  'us-grants': usGrants,
  'us-labor': usLabor,
  'us-lobbying': usLobbying,
  'us-reference-rates': usReferenceRates,
  'us-rivers': usRivers,
  'us-spending': usSpending,
  vulnerabilities,
  'weather-alerts': weatherAlerts,
  'world-indicators': worldIndicators,
}

/** The addresses of all sources, and how often each may be asked. */
export const shelfHosts = [...new Set(Object.values(shelf).map(({ host }) => host))]
export const shelfPacing = shelfHosts.flatMap(
  (own) => Object.values(shelf).find(({ host }) => host === own)?.pacing ?? [],
)

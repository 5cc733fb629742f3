import { useMemo } from 'preact/hooks'
import { useAddressed } from '../addressed.ts'
import { countOf } from '../format/count.ts'
import { useLoad, useRested, useReturn } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { addressOf } from '../router.ts'
import {
  type CatalogList,
  discover,
  type ListedAction,
  nameOf,
  protocolsOf,
  readCatalog,
} from './catalog.ts'
import { type ActionHealth, HealthTag, readHealth } from './health.tsx'
import { ModeTag } from './mode-tag.tsx'

const restMs = 250
const shownAtFirst = 60

export function CatalogPage(_: PageProps) {
  const catalog = useLoad('catalog', readCatalog)
  useReturn(catalog.reload)
  return (
    <Page title="Catalog">{<Shown of={catalog}>{(list) => <Search list={list} />}</Shown>}</Page>
  )
}

type CatalogFilters = {
  readonly question: string
  readonly mode: string
  readonly service: string
  readonly protocol: string
  readonly health: string
  /** Not empty: all that fit are shown, and not only the first. */
  readonly all: string
}

const noFilters: CatalogFilters = {
  question: '',
  mode: 'available',
  service: '',
  protocol: '',
  health: '',
  all: '',
}

function Search({ list }: { list: CatalogList }) {
  const [filters, setFilters] = useAddressed(noFilters)
  const asked = useRested(filters.question.trim(), restMs)
  const found = useLoad(asked, async (signal) =>
    asked === '' ? undefined : await discover(asked, signal),
  )
  const health = useLoad('health', readHealth)
  const actions = useMemo(
    () =>
      orderBy(found.value, list.actions).filter((action) =>
        fits(action, filters, health.value?.get(nameOf(action))),
      ),
    [found.value, list, filters, health.value],
  )
  return (
    <>
      <FilterFields {...{ list, filters }} change={setFilters} />
      <Problem error={found.error} retry={found.reload} />
      <p class="quiet" role="status">
        {found.isLoading && asked !== '' ? 'Searching …' : countOf(actions.length, 'action')}
      </p>
      <ul class="cards plain-list">
        {actions.slice(0, filters.all === '' ? shownAtFirst : undefined).map((action) => (
          <ActionCard
            key={nameOf(action)}
            action={action}
            health={health.value?.get(nameOf(action))}
          />
        ))}
      </ul>
      {filters.all === '' && actions.length > shownAtFirst && (
        <button type="button" onClick={() => setFilters({ all: 'yes' })}>
          Show all {actions.length}
        </button>
      )}
    </>
  )
}

function FilterFields({
  list,
  filters,
  change,
}: {
  list: CatalogList
  filters: CatalogFilters
  change: (filters: Partial<CatalogFilters>) => void
}) {
  const { question, mode, service, protocol, health } = filters
  const protocols = [...new Set(list.actions.flatMap(protocolsOf))]
  return (
    <div class="filters">
      <TextField
        label="What do you need?"
        type="search"
        value={question}
        change={(text) => change({ question: text })}
        placeholder="papers about batteries"
      />
      <ChoiceField
        label="Availability"
        value={mode}
        change={(chosen) => change({ mode: chosen })}
        choices={[
          ['available', 'Available now'],
          ['', 'All'],
          ['unavailable', 'Not available'],
        ]}
      />
      <ChoiceField
        label="Service"
        value={service}
        change={(chosen) => change({ service: chosen })}
        choices={[['', 'All'], ...list.services.map((each) => [each.service, each.title] as const)]}
      />
      <ChoiceField
        label="Health"
        value={health}
        change={(chosen) => change({ health: chosen })}
        choices={[
          ['', 'Any'],
          ['healthy', 'Healthy'],
          ['degraded', 'Degraded'],
          ['failing', 'Failing'],
        ]}
      />
      {protocols.length > 0 && (
        <ChoiceField
          label="Paid by"
          value={protocol}
          change={(chosen) => change({ protocol: chosen })}
          choices={[['', 'Any way'], ...protocols.map((each) => [each, each] as const)]}
        />
      )}
    </div>
  )
}

const fits = (
  action: ListedAction,
  { mode, service, protocol, health }: CatalogFilters,
  known: ActionHealth | undefined,
) =>
  (mode === '' || (action.mode === 'unavailable') === (mode === 'unavailable')) &&
  (service === '' || action.service === service) &&
  (protocol === '' || protocolsOf(action).includes(protocol)) &&
  (health === '' || known?.status === health)

/** Those that were found, in the order in which they fit. Without a question, all in the order of the catalog. */
function orderBy(names: readonly string[] | undefined, actions: readonly ListedAction[]) {
  if (names === undefined) return actions
  const byName = new Map(actions.map((action) => [nameOf(action), action]))
  return names.map((name) => byName.get(name)).filter((action) => action !== undefined)
}

function ActionCard({
  action,
  health,
}: {
  action: ListedAction
  health: ActionHealth | undefined
}) {
  const name = nameOf(action)
  return (
    <li class="card">
      <h2>
        <a href={addressOf(`/catalog/${name}`)}>{name}</a>
      </h2>
      <p>{action.summary}</p>
      <p class="bar start">
        <ModeTag mode={action.mode} />
        {health && <HealthTag status={health.status} />}
        {action.async && <Tag>job</Tag>}
        <span class="quiet">{action.price.text}</span>
        {protocolsOf(action).map((protocol) => (
          <Tag key={protocol}>{protocol}</Tag>
        ))}
      </p>
    </li>
  )
}

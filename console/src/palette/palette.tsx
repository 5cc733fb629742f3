// Finds pages, actions, accounts and ids from anywhere in the console.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { knownCatalog, nameOf } from '../catalog/catalog.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useRested } from '../load.ts'
import { elsewhere, type PageEntry } from '../pages/pages.ts'
import { Problem } from '../parts/notices.tsx'
import { navigate } from '../router.ts'
import type { Person } from '../session.ts'
import { isId, isPartOfId, matching, type Named } from './matches.ts'

export interface PaletteProps {
  readonly person: Person
  /** The pages that this person may see. */
  readonly pages: readonly PageEntry[]
  readonly closed: () => void
}

interface Target extends Named {
  readonly kind: 'Page' | 'Operator' | 'Action' | 'Account' | 'Transaction'
  readonly path: string
  /** What is done there, in phrases. */
  readonly words?: string | undefined
  readonly isElsewhere?: boolean
}

const restMs = 200
const targetsMax = 12
const accountsMax = 5

export function Palette({ person, pages, closed }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { targets, isLoading, error } = useTargets(typed.trim(), { person, pages })
  const current = Math.min(chosen, targets.length - 1)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useLayoutEffect(
    () => list.current?.children[current]?.scrollIntoView({ block: 'nearest' }),
    [current],
  )
  const enter = (target: Target | undefined) => {
    if (target === undefined) return
    dialog.current?.close()
    if (target.isElsewhere) location.assign(target.path)
    else navigate(target.path)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || targets.length === 0) return
    event.preventDefault()
    setChosen((current + step + targets.length) % targets.length)
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={closed}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          enter(targets[current])
        }}
      >
        <input
          type="text"
          role="combobox"
          aria-label="Page, action, account or id"
          aria-expanded={targets.length > 0}
          aria-controls={`${id}-targets`}
          aria-activedescendant={targets.length > 0 ? `${id}-${current}` : undefined}
          placeholder="Page, action, account or id"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value)
            setChosen(0)
          }}
          onKeyDown={press}
        />
        <div ref={list} role="listbox" id={`${id}-targets`} aria-label="Found">
          {targets.map((target, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard.
            <div
              key={target.kind + target.path}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              onClick={() => enter(target)}
            >
              <span>
                {target.name}
                <Phrase typed={typed} of={target} />
              </span>
              <span class="quiet">{target.kind}</span>
            </div>
          ))}
        </div>
        <p class="quiet" role="status">
          {isLoading
            ? 'Searching …'
            : targets.length > 0
              ? ''
              : isPartOfId(typed.trim())
                ? 'Enter the whole id.'
                : 'Nothing matches.'}
        </p>
        <Problem error={error} />
      </form>
    </dialog>
  )
}

function useTargets(typed: string, { person, pages }: Omit<PaletteProps, 'closed'>) {
  // An operator without an account calls no action.
  const catalog = useLoad('catalog', async () =>
    person.account_id === null ? [] : (await knownCatalog()).actions,
  )
  const asked = useRested(typed, restMs)
  const accounts = useLoad(asked, async (signal) =>
    person.operator && asked !== ''
      ? (
          await tollway.request('GET /api/v1/admin/accounts', {
            query: { search: asked, limit: accountsMax },
            signal,
          })
        ).accounts
      : [],
  )
  const targetsOf = (entries: typeof elsewhere, isElsewhere: boolean) =>
    entries.flatMap(({ label: name, path, side, words }): Target[] => {
      if (name === undefined) return []
      const kind = side === 'operator' ? 'Operator' : 'Page'
      return [{ kind, name, about: `${side} ${words}`, path, words, isElsewhere }]
    })
  const maySee = ({ side }: Pick<PageEntry, 'side'>) =>
    side === 'account' ? person.account_id !== null : person.operator
  const ofPages = [
    ...targetsOf(pages, false),
    ...(typed === '' ? [] : targetsOf(elsewhere.filter(maySee), true)),
  ]
  const ofActions = (catalog.value ?? []).map(
    (action): Target => ({
      kind: 'Action',
      name: nameOf(action),
      about: action.summary,
      path: `/catalog/${nameOf(action)}`,
    }),
  )
  const ofAccounts = (typed === '' ? [] : (accounts.value ?? [])).map(
    ({ account_id, name }): Target => ({
      kind: 'Account',
      name: name ?? account_id,
      path: `/operator/accounts/${account_id}`,
    }),
  )
  const found = matching(typed, typed === '' ? ofPages : [...ofPages, ...ofActions])
  return {
    targets: [...transactionOf(typed, person), ...ofAccounts, ...found].slice(0, targetsMax),
    isLoading: catalog.isLoading || (person.operator && (accounts.isLoading || asked !== typed)),
    error: catalog.error ?? accounts.error,
  }
}

/** The phrase by which a page was found, where its name does not say it. */
function Phrase({ typed, of: { name, words = '' } }: { typed: string; of: Target }) {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '' || name.toLowerCase().includes(wanted)) return null
  const phrase = words.split(', ').find((each) => each.toLowerCase().includes(wanted))
  return phrase === undefined ? null : <span class="quiet"> {phrase}</span>
}

function transactionOf(typed: string, person: Person): Target[] {
  if (!isId(typed)) return []
  const path = `${person.operator ? '/operator' : ''}/transactions/${typed}`
  return [{ kind: 'Transaction', name: typed, path }]
}

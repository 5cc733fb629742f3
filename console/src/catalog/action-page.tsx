import { TollwayError } from '@tollway/client'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import {
  type FormField,
  fieldsOf,
  readForm,
  type Schema,
  type Texts,
  textsOf,
} from '../forms/schema.ts'
import { SchemaForm } from '../forms/schema-form.tsx'
import { untyped } from '../gateway.ts'
import { useIdempotencyKey, useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { Problem, Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Result } from '../results/result.tsx'
import { addressOf } from '../router.ts'
import { type DescribedAction, describeAction, nameOf } from './catalog.ts'
import { Health } from './health.tsx'
import { ModeTag } from './mode-tag.tsx'
import { Snippets } from './snippet-choices.tsx'

const restMs = 300

export function ActionPage({ parameters: { service = '', action = '' } }: PageProps) {
  const name = `${service}/${action}`
  const described = useLoad(name, (signal) => describeAction(service, action, signal))
  return (
    <Page title={name}>
      {<Shown of={described}>{(each) => <Playground action={each} />}</Shown>}
    </Page>
  )
}

interface Ran {
  readonly data: unknown
  readonly chargedUsd: string
  readonly transactionId?: string
  readonly replayed: boolean
}

/** The texts of the form. What differs from the example is kept in the address, where documents fill it in too. */
function useDraft(
  fields: readonly FormField[],
  example: Readonly<Record<string, unknown>>,
): [Texts, (texts: Texts) => void] {
  const [draft, keepDraft] = useAddressedText('input')
  const start = () => textsOf(fields, readDraft(draft) ?? example)
  const [texts, setTexts] = useState(start)
  const kept = useRef(draft)
  useEffect(() => {
    if (draft === kept.current) return
    kept.current = draft
    setTexts(start())
  }, [draft])
  return [
    texts,
    (next) => {
      const input = JSON.stringify(readForm(fields, next).input)
      const isExample = input === JSON.stringify(readForm(fields, textsOf(fields, example)).input)
      kept.current = isExample ? '' : input
      setTexts(next)
      keepDraft(kept.current)
    },
  ]
}

function readDraft(draft: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(draft)
    return typeof read === 'object' && read !== null ? { ...read } : undefined
  } catch {
    return undefined
  }
}

function Playground({ action }: { action: DescribedAction }) {
  const fields = useMemo(() => fieldsOf(action.input_schema as Schema), [action])
  const example = action.example.input
  const [texts, setTexts] = useDraft(fields, example)
  const [isChecked, setChecked] = useState(false)
  const { input, problems } = useMemo(() => readForm(fields, texts), [fields, texts])
  const call = { action: nameOf(action), input }
  return (
    <>
      <p>
        {action.summary} <span class="quiet">{action.notes}</span>
      </p>
      <p class="bar start">
        <ModeTag mode={action.mode} />
        <Health name={nameOf(action)} />
        <span>{action.price.text}</span>
        {action.async && <span class="quiet">It runs as a job.</span>}
      </p>
      {action.reason && <p class="notice warning">{action.reason}</p>}
      <div class="halves">
        <section class="card" aria-label="Input">
          <div class="bar">
            <h2>Input</h2>
            <span>
              <button
                type="button"
                class="plain"
                onClick={() => setTexts(textsOf(fields, example))}
              >
                Example
              </button>
              <button type="button" class="plain" onClick={() => setTexts({})}>
                Clear
              </button>
            </span>
          </div>
          <SchemaForm
            {...{ fields, texts }}
            problems={isChecked ? problems : {}}
            change={setTexts}
          />
          <RunPart
            call={call}
            isComplete={Object.keys(problems).length === 0}
            check={() => setChecked(true)}
          />
        </section>
        <section class="card" aria-label="The same call elsewhere">
          <h2>The same call elsewhere</h2>
          <Snippets call={call} />
        </section>
      </div>
    </>
  )
}

interface RunCall {
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The price, the button beside it, and what the call answered. */
function RunPart({
  call,
  isComplete,
  check,
}: {
  call: RunCall
  isComplete: boolean
  check: () => void
}) {
  const [ran, setRan] = useState<Ran>()
  const [progress, setProgress] = useState<{ phase: string; percent: number }>()
  const ending = useRef<AbortController>(undefined)
  const once = useIdempotencyKey(call)
  const { isBusy, error, start } = useWork(async () => {
    ending.current = new AbortController()
    setRan(undefined)
    setProgress(undefined)
    const { signal } = ending.current
    const options = {
      signal,
      onProgress: setProgress,
      idempotencyKey: once.key,
    }
    setRan((await untyped.run(call.action, call.input, options)) as Ran)
    once.succeeded()
  })
  const run = () => {
    check()
    if (isComplete) start()
  }
  return (
    <>
      <div class="bar start">
        <button type="button" class="main" aria-disabled={isBusy} onClick={run}>
          {isBusy ? 'Running …' : 'Run'}
        </button>
        {isBusy && (
          <button
            type="button"
            onClick={() => ending.current?.abort(new Error('You ended the call.'))}
          >
            Stop
          </button>
        )}
        <LiveQuote call={call} isComplete={isComplete} />
      </div>
      {isBusy && progress && (
        <label>
          {progress.phase}
          <progress max={100} value={progress.percent} />
        </label>
      )}
      {!isBusy && <Problem error={error} />}
      {!isBusy && <Further error={error} />}
      {ran && <Answered ran={ran} />}
    </>
  )
}

/** The exact price of these parameters, whenever they rest. */
function LiveQuote({ call, isComplete }: { call: RunCall; isComplete: boolean }) {
  const asked = useRested(JSON.stringify(call), restMs)
  const quote = useLoad(`${isComplete} ${asked}`, async (signal) =>
    isComplete ? await untyped.quote(call.action, call.input, { signal }) : undefined,
  )
  if (!isComplete) return <span class="quiet">Fill in the required fields to see the price.</span>
  if (quote.error !== undefined)
    return (
      <span class="problem" role="status">
        {quote.error instanceof Error ? quote.error.message : ''}
      </span>
    )
  if (quote.value === undefined) return <span class="quiet">…</span>
  const { price, refusal, max_cost_required } = quote.value
  return (
    <span role="status">
      {price.kind === 'cap' ? 'At most ' : ''}
      <strong>
        <Amount usd={price.usd} />
      </strong>
      {max_cost_required && call.input.max_cost_cents === undefined && (
        <span class="problem"> This call needs a ceiling.</span>
      )}
      {refusal && <span class="problem"> {refusal.message}</span>}
    </span>
  )
}

/** Where to read on after a refusal or a failure. */
function Further({ error }: { error: unknown }) {
  if (!(error instanceof TollwayError)) return null
  const { code, status, transactionId: id } = error
  return (
    <p>
      {id !== undefined && (
        <>
          It was not charged. <a href={addressOf(`/transactions/${id}`)}>See what happened</a>.{' '}
        </>
      )}
      {status !== undefined && <a href={`/docs/errors/${code}`}>What {code} means</a>}
    </p>
  )
}

function Answered({ ran }: { ran: Ran }) {
  return (
    <section class="stack" aria-label="Answer">
      <h3>Answer</h3>
      <p role="status">
        Charged <Amount usd={ran.chargedUsd} />.{' '}
        {ran.replayed &&
          'This is the stored answer of the same call, which was not charged again. '}
        {ran.transactionId && (
          <a href={addressOf(`/transactions/${ran.transactionId}`)}>See its timeline</a>
        )}
      </p>
      <Result data={ran.data} />
    </section>
  )
}

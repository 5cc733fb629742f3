import { useRef, useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ChoiceField, Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Markdown } from '../results/markdown.tsx'

const answerTokensMax = 2_048

interface Said {
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** What the answer cost. */
  readonly usd?: string | undefined
  readonly model?: string | undefined
}

/** A plain playground for language models. What was said is forgotten with the page. */
export function ChatPage(_: PageProps) {
  const models = useLoad('models', (signal) =>
    tollway.request('GET /api/llm/v1/models', { signal }),
  )
  return (
    <Page title="Chat">
      <Shown of={models}>
        {({ data }) => {
          // Models that do not converse name what they do: `embeddings`, `speech`.
          const talking = data.filter((model) => !('surface' in (model as object)))
          const names = talking.map((model) => String((model as { id?: unknown }).id))
          return names.length === 0 ? (
            <p class="notice">
              This gateway has no language model. Its operator sets the key of a vendor in the
              environment. <a href="/docs/operate/models">How models are set up</a>
            </p>
          ) : (
            <Talk models={names} />
          )
        }}
      </Shown>
    </Page>
  )
}

function Talk({ models }: { models: readonly string[] }) {
  const [model, setModel] = useAddressedText('model', models[0] ?? '')
  const [said, setSaid] = useState<readonly Said[]>([])
  const [text, setText] = useState('')
  const ending = useRef<AbortController>(undefined)
  const ask = useWork(async () => {
    ending.current = new AbortController()
    const asked: Said[] = [...said, { role: 'user', content: text.trim() }]
    setText('')
    setSaid([...asked, { role: 'assistant', content: '' }])
    try {
      await readAnswer(model, asked, ending.current.signal, (answer) => setSaid([...asked, answer]))
    } catch (thrown) {
      // A question without an answer can be sent again.
      if (!ending.current.signal.aborted) {
        setSaid(said)
        setText(text)
        throw thrown
      }
    }
  })
  return (
    <>
      <ChoiceField
        label="Model"
        value={model}
        change={setModel}
        choices={models.map((name) => [name, name] as const)}
      />
      <div class="stack" aria-live="polite" aria-busy={ask.isBusy}>
        {said.map((each, index) => (
          <SaidText key={index} said={each} />
        ))}
      </div>
      <Form
        of={ask}
        submit="Send"
        kind="main"
        isReady={text.trim() !== ''}
        beside={
          <>
            {ask.isBusy && (
              <button type="button" onClick={() => ending.current?.abort()}>
                Stop
              </button>
            )}
            <button type="button" disabled={ask.isBusy} onClick={() => setSaid([])}>
              New chat
            </button>
          </>
        }
      >
        <Field label="Your message">
          {(control) => (
            <textarea
              {...control}
              rows={3}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
      </Form>
    </>
  )
}

const SaidText = ({ said: { role, content, usd, model } }: { said: Said }) => (
  <article class={`said ${role}`} aria-label={role === 'user' ? 'You' : 'The model'}>
    {role === 'user' ? <p>{content}</p> : <Markdown text={content} />}
    {usd !== undefined && (
      <p class="quiet">
        <Amount usd={usd} /> {model && `· ${model}`}
      </p>
    )}
  </article>
)

/** Reads an answer as it arrives. Its last part says what it cost. */
async function readAnswer(
  model: string,
  said: readonly Said[],
  signal: AbortSignal,
  show: (answer: Said) => void,
) {
  let answer: Said = { role: 'assistant', content: '' }
  const request = {
    model,
    messages: said.map(({ role, content }) => ({ role, content })),
    max_tokens: answerTokensMax,
    stream_options: { include_usage: true },
  }
  for await (const chunk of tollway.chat.stream(request, { signal })) {
    const { cost } = (chunk.usage ?? {}) as { cost?: unknown }
    answer = {
      ...answer,
      model: chunk.model,
      content: answer.content + (chunk.choices[0]?.delta.content ?? ''),
      // The gateway writes the exact charge, which has at most six places.
      ...(typeof cost === 'number' ? { usd: cost.toFixed(6) } : {}),
    }
    show(answer)
  }
}

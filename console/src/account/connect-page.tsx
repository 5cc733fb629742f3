import { useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Choices } from '../parts/choices.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { TextField } from '../parts/field.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Scroll } from '../parts/scroll.tsx'

type Answer = AnswerOf<'GET /api/v1/connections'>

/** One ready block for each client, with the address of this gateway and, if it is given, a key. */
export function ConnectPage(_: PageProps) {
  const connections = useLoad('connections', (signal) =>
    tollway.request('GET /api/v1/connections', { signal }),
  )
  return (
    <Page title="Connect">
      <Shown of={connections}>{(answer) => <Connections {...answer} />}</Shown>
    </Page>
  )
}

function Connections({ connections: all, key_placeholder: placeholder }: Answer) {
  const [id, choose] = useAddressedText('client', all[0]?.id ?? '')
  const [key, setKey] = useState('')
  const chosen = all.find((connection) => connection.id === id) ?? all[0]
  if (chosen === undefined) return null
  const text = chosen.text.replaceAll(placeholder, key.trim() || placeholder)
  return (
    <>
      <Choices
        label="Clients"
        names={all.map(({ title }) => title)}
        chosen={chosen.title}
        choose={(title) => choose(all.find((other) => other.title === title)?.id ?? '')}
      />
      <section class="card stack">
        <h2>{chosen.title}</h2>
        <p>{chosen.does}</p>
        {chosen.text.includes(placeholder) && (
          <TextField
            label="API key"
            about="It stays in this page. A key with limits can spend only what you allow."
            value={key}
            change={setKey}
            placeholder={placeholder}
          />
        )}
        <Scroll label={`Configuration of ${chosen.title}`}>{text}</Scroll>
        <div class="bar start">
          <CopyButton text={text} />
          <a href="/console/keys">Make a key with limits</a>
        </div>
      </section>
    </>
  )
}

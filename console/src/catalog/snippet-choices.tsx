import { useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { type SnippetCall, snippets } from './snippets.ts'

export function Snippets({
  call,
}: {
  call: Omit<SnippetCall, 'baseUrl' | 'input'> & { input: object }
}) {
  const [chosen, setChosen] = useState(snippets[0]?.name)
  const { write } = snippets.find(({ name }) => name === chosen) ?? {}
  const text =
    write?.({ ...call, input: call.input as SnippetCall['input'], baseUrl: location.origin }) ?? ''
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Kinds of callers">
        {snippets.map(({ name }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            onClick={() => setChosen(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <Scroll label={`${chosen} call`}>{text}</Scroll>
      <div class="bar start">
        <CopyButton text={text} />
      </div>
    </>
  )
}

import { useAddressedText } from '../addressed.ts'
import { Choices } from '../parts/choices.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { addressOf } from '../router.ts'
import { keyVariable, type SnippetCall, snippets } from './snippets.ts'

export function Snippets({
  call,
}: {
  call: Omit<SnippetCall, 'baseUrl' | 'input'> & { input: object }
}) {
  const [chosen, choose] = useAddressedText('caller', snippets[0]?.name)
  const { write } = snippets.find(({ name }) => name === chosen) ?? {}
  const text =
    write?.({ ...call, input: call.input as SnippetCall['input'], baseUrl: location.origin }) ?? ''
  return (
    <>
      <Choices
        label="Kinds of callers"
        names={snippets.map(({ name }) => name)}
        chosen={chosen}
        choose={choose}
      />
      <Scroll label={`${chosen} call`}>{text}</Scroll>
      <div class="bar start">
        <CopyButton text={text} />
        {text.includes(keyVariable) && (
          <span class="quiet">
            <code>{keyVariable}</code> is an API key: <a href={addressOf('/keys')}>make one</a>.
          </span>
        )}
      </div>
    </>
  )
}

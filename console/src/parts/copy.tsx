import { useState } from 'preact/hooks'

/** Copies a text. Browsers offer it only on pages loaded by TLS or from this machine; elsewhere there is no button. */
export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<string>()
  if (!isSecureContext) return null
  return (
    <>
      <button
        type="button"
        onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(text))}
      >
        Copy
      </button>
      <span role="status">{copied === text && 'Copied.'}</span>
    </>
  )
}

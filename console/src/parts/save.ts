import { savedName } from '@tollway/client'

/** Saves what is at an address under a name, as a click on a link would. */
export function saveAs(name: string, address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = savedName(name)
  // Browsers save only what comes from this origin, and would leave this page for anything else.
  if (link.origin !== location.origin && link.protocol !== 'blob:') {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  }
  link.click()
  // The browser has begun to read it by then.
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address))
}

import { testBoxes } from './contract.ts'
import { openVendor, vendors } from './vendors/vendors.ts'

for (const vendor of vendors)
  testBoxes(
    vendor.name,
    vendor.name === 'Runloop' || vendor.name === 'Fly Sprites' ? { suspends: true } : {},
    () => openVendor(vendor),
  )

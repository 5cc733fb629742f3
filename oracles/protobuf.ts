export { default as protobuf } from 'protobufjs'

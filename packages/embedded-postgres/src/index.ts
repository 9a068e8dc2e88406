export { type BackupFacts, backUp, readBackup } from './backup.ts'
export { findCluster, listClusters, locateCluster, type OutsideCluster, removeCluster } from './clusters.ts'
export { EmbeddedRefusal } from './refusal.ts'
export { type EmbeddedServer, type EmbeddedTarget, findRunning, startEmbedded } from './server.ts'

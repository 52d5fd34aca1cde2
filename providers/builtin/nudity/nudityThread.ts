/** Entry of the thread that classifies pictures. The network is loaded with the first picture. */
import { workerData } from 'node:worker_threads';
import { readCheckedFile } from '../threads/checkedFile.ts';
import { serve } from '../threads/serve.ts';
import { NUDITY_FILES } from './classifierFiles.ts';
import { createNudityNetwork, type ClassProbabilities, type NudityNetwork } from './nudityNetwork.ts';
import { readModelWeights } from './readNsfwjsWeights.ts';

export interface NudityThreadData {
  /** Folder of the classifier's files. */
  folder: string;
}

const { folder } = workerData as NudityThreadData;
let network: NudityNetwork | undefined;

/** @param pixels see `NudityNetwork` */
serve((pixels: Uint8Array): ClassProbabilities => {
  network ??= load();
  return network(pixels);
});

function load(): NudityNetwork {
  const [model = '', ...shards] = NUDITY_FILES.map((file) => readCheckedFile(folder, file).toString('latin1'));
  return createNudityNetwork(readModelWeights(model, shards));
}

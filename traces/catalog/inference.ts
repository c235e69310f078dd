import { atCommit, entry, plainFile } from './entry.ts';

const AZURE = 'Azure/AzurePublicDataset';
const AZURE_COMMIT = 'b469a113cedca53ddc3bdea71a143dc4b7d8700c';

/** An hour of requests to two services of Azure. */
export const azure2023 = entry(
  {
    name: 'azure-llm-2023',
    title: 'Azure LLM inference 2023: an hour of code and of conversation requests',
    format: 'azure-llm',
    licence: 'CC BY 4.0',
    cite: 'Patel et al., Splitwise, ISCA 2024',
    source: `https://github.com/${AZURE}`,
  },
  [
    plainFile(
      atCommit(AZURE, AZURE_COMMIT, 'data/AzureLLMInferenceTrace_code.csv'),
      320_117,
      '54e9a6d2a4bd06ba1e060304b900abbc74cbea53de96506e60fe5bb4f2277fb6',
    ),
    plainFile(
      atCommit(AZURE, AZURE_COMMIT, 'data/AzureLLMInferenceTrace_conv.csv'),
      719_188,
      '2f1e5b666d4e3055fdbba98598ce2ec307767b9064e03e2fa46676dbcc7d0bf8',
    ),
  ],
);

// The storage account spells the word so.
const AZURE_BLOBS =
  'https://azurepublicdatasettraces.blob.core.windows.net/azurellminfererencetrace';

/** A week of requests to two services of Azure. */
export const azure2024 = entry(
  {
    name: 'azure-llm-2024',
    title: 'Azure LLM inference 2024: a week of code and of conversation requests',
    format: 'azure-llm',
    licence: 'CC BY 4.0',
    cite: 'Stojkovic et al., DynamoLLM, arXiv:2408.00741',
    source: `https://github.com/${AZURE}/blob/master/AzureLLMInferenceDataset2024.md`,
    note: 'no size or checksum is published',
  },
  [
    plainFile(`${AZURE_BLOBS}/AzureLLMInferenceTrace_code_1week.csv`, null, null),
    plainFile(`${AZURE_BLOBS}/AzureLLMInferenceTrace_conv_1week.csv`, null, null),
  ],
);

/** Requests to ChatGPT and GPT-4 through a university's service. */
export const burstGpt = entry(
  {
    name: 'burst-gpt',
    title: 'BurstGPT, first part: requests to ChatGPT and GPT-4',
    format: 'burst-gpt',
    licence: 'CC BY 4.0',
    cite: 'Wang et al., BurstGPT',
    source: 'https://github.com/HPMLL/BurstGPT',
    note: 'the first of three parts, as of a commit; later releases have changed columns',
  },
  [
    plainFile(
      'https://media.githubusercontent.com/media/HPMLL/BurstGPT/' +
        '5d93d820d9b6bee4e26914df003e5713538164ae/data/BurstGPT_1.csv',
      52_283_111,
      '4bb3783693d0a435686fbfc885615d2349bd067239079fa4b749f2e679e12122',
    ),
  ],
);

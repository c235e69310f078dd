/** A small file of each format, made by hand, under a name as its set would use it. */
export const SAMPLES = {
  zeus: {
    name: 'caps.csv',
    text: [
      'dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power',
      'cats,tiny,8,adam,100,12,97',
      'cats,tiny,8,adam,150,10,140',
      '',
    ].join('\n'),
  },
  'v100-clocks': {
    name: 'dataset_power.csv',
    text: 'frequency(MHz),500,1000\nsum,60,100\nsort,40,50\n',
  },
  'hkbu-grid': {
    name: 'grid.csv',
    text: [
      ',appName,coreF,memF,argNo,kernel,time/ms,power/W',
      '1,sum,1600,4000,i0,k,2.5,120',
      '2,sum,1700,4000,i0,k,2.4,130',
      '',
    ].join('\n'),
  },
  'hkbu-profile': {
    name: 'profile.csv',
    text: [
      'DRAMA,SMACT,argNo,average_power,benchmark,core_frequency,kernel,memory_frequency,time',
      '0.5,0.9,i0,60,sum,705,k,877,6',
      '0.6,0.9,i0,99,sum,1380,k,877,4',
      '',
    ].join('\n'),
  },
  'igniter-solo': {
    name: 'solo.csv',
    text: 'model,batch,thread_pct,latency_ms\ntiny,2,50,2.5\ntiny,2,100,2\n',
  },
  'igniter-pairs': {
    name: 'pairs.csv',
    text: [
      'model1,batch1,thread_pct1,latency1_ms,slowdown1,model2,batch2,thread_pct2,latency2_ms,slowdown2',
      'tiny,2,20,3,1.5,big,4,80,5,1.25',
      '',
    ].join('\n'),
  },
  'igniter-profile': {
    name: 'x_profile.jsonl',
    text: '{"tiny": {"power": [[11, 12, 13], [21, 22, 23], [31, 32, 33]]}}\n{"tiny": {"kernel": 3}}\n',
  },
  gavel: {
    name: 'throughputs.json',
    text: `{
 "v100": {
  "('Net (batch size 16)', 1)": {"null": 8.5, "('Talker', 1)": [6.5, 1.5]},
  "('Talker', 1)": {"null": 4.5, "('Net (batch size 16)', 1)": [1.5, 6.5]}
 }
}
`,
  },
  'lucid-solo': {
    name: 'single_data.csv',
    text: 'model,dataset,batchsize,amp,speed,gpu_util,gmem_util,gmem,label\nN,d,32,1,64,50,25,2048,1\n',
  },
  'lucid-pairs': {
    name: 'colocate_info.csv',
    text: [
      ',model1,dataset1,gpu_num1,batchsize1,amp1,speed1,model2,dataset2,gpu_num2,batchsize2,amp2,speed2,gpu_util,gmem_util,gmem',
      '0,N,d,1,32,0,0.9,M,e,1,64,1,1.2,80,40,4096',
      '',
    ].join('\n'),
  },
  'miso-mig': {
    name: 'mig.csv',
    text: 'mig_profile,model,batch_size,n_steps,median_step_s,p10_step_s,p90_step_s\n3g.20gb,net,8,9,0.5,0.4,0.6\n',
  },
  'miso-power': {
    name: 'power.csv',
    text: 'model,batch_size,power_w,util_sm_pct,util_mem_pct,memory_mib\nnet,8,94,40,4,1024\n',
  },
  sia: {
    name: 'placements-rtx.csv',
    text: 'placement,local_bsz,step_time,sync_time\n1,8,0.5,0.1\n12,8,0.6,0.2\n',
  },
  gpulet: {
    name: '3080_UTIL.CSV',
    text: [
      'bench,batch,avg_duration(ms),SM_util(%),l2_util(%),mem_util(%),achieved occupancy',
      'net,4,7,13,20,27,14,',
      '',
    ].join('\n'),
  },
  'gpulet-constants': {
    name: 'constants.csv',
    text: 'l2_util_m1,l2_util_m2,dram_util_m1,dram_util_m2,constant\n-0.1,0.2,0.3,0.4,0.9\n',
  },
  csv: {
    name: 'own.csv',
    text: 'gpuType,workload,batch,stepS,powerW\nL4,mine,8,0.118,71.2\n',
  },
} as const;

/** Name of a format that has a sample. */
export type SampleName = keyof typeof SAMPLES;

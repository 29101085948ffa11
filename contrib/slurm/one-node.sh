#!/usr/bin/env bash
# A Slurm of one node, from Debian's packages, for as long as this script runs: an array job is submitted, collected, and
# compared with a local run. Called as one-node.sh HARDBOP; skips aloud where Slurm is not installed or does not start.
set -uo pipefail
hardbop=$(realpath "$1")
for tool in munged slurmctld slurmd sbatch sinfo squeue; do
  command -v $tool > /dev/null || PATH=$PATH:/usr/sbin command -v $tool > /dev/null || { echo "skipped: $tool is not installed"; exit 0; }
done
PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
cd "$folder" || exit 1
end() {
  for name in slurmd slurmctld munged; do
    [ -s $name.pid ] || continue
    pid=$(cat $name.pid)
    kill "$pid" 2> /dev/null
    # They still write into the folder while they end.
    for _ in $(seq 50); do
      kill -0 "$pid" 2> /dev/null || break
      sleep 0.1
    done
  done
  cd / && rm -rf "$folder"
}
trap end EXIT
skip() { echo "skipped: $1"; exit 0; }

host=$(hostname -s)
mkdir state spool
head -c 1024 /dev/urandom > munge.key && chmod 400 munge.key
cat > slurm.conf << END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=debug Nodes=$host Default=YES MaxTime=60 State=UP
END
export SLURM_CONF=$folder/slurm.conf
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" || skip "munged does not start"
slurmctld -f slurm.conf -c 2> ctld.err || skip "slurmctld does not start: $(tail -n 1 ctld.err)"
slurmd -f slurm.conf -N "$host" 2> slurmd.err || skip "slurmd does not start: $(tail -n 1 slurmd.err)"
for _ in $(seq 60); do
  sinfo --noheader --format=%T 2> /dev/null | grep -q idle && break
  sleep 1
done
sinfo --noheader --format=%T 2> /dev/null | grep -q idle || skip "the node does not come up: $(tail -n 1 slurmctld.log)"

mkdir p
for i in $(seq 10 39); do
  asserted='g | !g'
  [ $((i % 3)) -eq 2 ] && asserted=g
  printf 'decl g;\nvoid main() begin // %s\n  g := *;\n  assert(%s);\nend\n' "$i" "$asserted" > p/$i.bp
done
set -e
if "$hardbop" batch p --time-limit 10m --slurm out --parts 2 2> told; then
  echo "a job that is longer than the partition allows was submitted"; exit 1
fi
grep -q 'partition debug allows 60 minutes' told
if "$hardbop" batch p --time-limit 10s --slurm out --parts 4 --partition gpu 2> told; then
  echo "a job for a partition that is not there was submitted"; exit 1
fi
grep -q 'there is no partition gpu; there are: debug' told
"$hardbop" batch p --time-limit 10s --slurm out --parts 4
for _ in $(seq 300); do
  [ -z "$(squeue --noheader)" ] && break
  sleep 1
done
[ -z "$(squeue --noheader)" ] || skip "the jobs did not end within five minutes: $(squeue --noheader)"
"$hardbop" batch collect out --store all.db
"$hardbop" batch p --time-limit 10s --store all.db > all.txt 2> told || [ $? -eq 10 ]
grep -q '30 of 30 tasks have a result already' told || { cat told out/*.log; exit 1; }
"$hardbop" batch p --time-limit 10s --store local.db > local.txt 2> /dev/null || [ $? -eq 10 ]
answers() { "$hardbop" batch export --store "$1" | cut -d, -f1,2 || true; }
diff <(answers all.db) <(answers local.db)
echo "30 tasks as an array of 4 on a Slurm of one node: collected, as in a local run"

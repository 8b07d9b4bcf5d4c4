import EventLoop
import Library
import Linux

// What outlasts the process: the record of a part, and the final name of a whole file.
extension Fetcher {
    /// Records what is there, once it is on the medium.
    func settle() {
        let state = file.state
        guard !isWhole, let disk = state.file, let validator = state.validator, state.present.count > 0 else { return }
        guard !isSettling else {
            mustSettleAgain = true
            return
        }
        isSettling = true
        mustSettleAgain = false
        // Taken before the sync: what is written meanwhile is not claimed.
        let record = PartRecord(present: state.present, validator: validator.completed(by: Validator(total: state.total)))
        context.durability.settle(disk) { self.settled(record, state.edition, $0) }
    }

    private func settled(_ record: PartRecord, _ edition: Int, _ error: Errno?) {
        isSettling = false
        if let error { context.log("a download could not be made to last: \(error)") }
        if error == nil, edition == file.state.edition, !isWhole {
            do throws(Failure) {
                try context.records.save(record, key.fileName)
            } catch {
                context.log("the state of a download could not be saved")
            }
        }
        if mustSettleAgain { settle() }
        restIfDone()
    }

    func finish() {
        let state = file.state
        guard let disk = state.file else { return }
        guard let size = try? disk.size(), size == state.total else {
            return startOver("more came than the size that was told last")
        }
        phase = .whole
        failures = 0
        isPromoting = true
        context.durability.promote(disk, key.partName, to: key.fileName, in: context.folder) { self.promoted($0) }
    }

    private func promoted(_ error: Errno?) {
        isPromoting = false
        if let error {
            context.log("the episode is whole but could not be kept: \(error)")
        } else {
            do throws(Failure) {
                try context.records.delete(key.fileName)
            } catch {
                context.log("the record of a finished download could not be removed")
            }
            onProgress?(progress)
        }
        onDone?()
        restIfDone()
    }

    private func restIfDone() {
        if !isBusy { onRest?() }
    }
}
